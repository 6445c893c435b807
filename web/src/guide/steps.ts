/* The guided first game: one idea at a time, each told once, when its moment comes. */
export interface Moment {
  ask: string;
  phase: string;
  turn: number;
  number: number;
  rolled: boolean;
  /** The other side's turn: a question in its movement, shooting or assault is an answer to what it does. */
  interrupt: boolean;
}

export interface Step {
  id: string;
  when: (moment: Moment) => boolean;
  /** The part of the screen that it speaks of: the table, the question, or the log. */
  spot?: "map" | "decision" | "panel-body";
  en: [string, string];
  pl: [string, string];
  it: [string, string];
}

export const STEPS: Step[] = [
  {
    id: "welcome",
    spot: "decision",
    when: (m) => m.number === 0,
    en: ["Welcome to the table", "Two patrols meet at a farm. What the game asks you always stands here, in words. Choose an option by a click or a tap; with a keyboard, by its number, or Enter for the one with the thick frame."],
    pl: ["Witaj przy stole", "Dwa patrole spotykają się przy gospodarstwie. Pytania gry zawsze pojawiają się tutaj. Wybierz możliwość kliknięciem lub dotknięciem; na klawiaturze jej numerem albo klawiszem Enter, jeśli ma grubą ramkę."],
    it: ["Benvenuto al tavolo", "Due pattuglie si incontrano a una fattoria. Quello che il gioco ti chiede sta sempre qui. Scegli un'opzione con un clic o un tocco; con la tastiera, col suo numero, o con Invio quella dal bordo spesso."],
  },
  {
    id: "places",
    spot: "map",
    when: (m) => m.ask === "pick_places",
    en: ["Setting up", "Your teams stand where they could go; the bright zone is yours. Drag them, turn them by the round handle, then confirm. Woods, walls and buildings will cover them."],
    pl: ["Rozstawienie", "Drużyny stoją tam, gdzie mogą stanąć; jasna strefa jest twoja. Przeciągnij je, obróć okrągłym uchwytem i zatwierdź. Lasy, mury i budynki dadzą im osłonę."],
    it: ["Lo schieramento", "Le squadre stanno dove potrebbero andare; la zona chiara è tua. Trascinale, girale con la maniglia rotonda, poi conferma. Boschi, muri ed edifici le proteggono."],
  },
  {
    id: "orders",
    spot: "decision",
    when: (m) => m.ask === "pick_one" && m.phase === "phase.movement" && !m.interrupt,
    en: ["Movement", "Each platoon gets one order. Click a platoon on the table: its orders come to the top. What it may not do is shown too, with the reason and the rule."],
    pl: ["Ruch", "Każdy pluton dostaje jeden rozkaz. Kliknij pluton na stole, a jego rozkazy przejdą na górę. Widać też, czego nie może zrobić, z powodem i zasadą."],
    it: ["Il movimento", "Ogni plotone riceve un ordine. Clicca un plotone sul tavolo: i suoi ordini salgono in cima. Vedi anche ciò che non può fare, col motivo e la regola."],
  },
  {
    id: "several",
    spot: "map",
    when: (m) => m.ask === "pick_several",
    en: ["Who takes part?", "Click the teams on the table or in the list. Those with a ring take part. Then confirm."],
    pl: ["Kto bierze udział?", "Klikaj drużyny na stole albo na liście. Te w pierścieniu biorą udział. Potem zatwierdź."],
    it: ["Chi partecipa?", "Clicca le squadre sul tavolo o nell'elenco. Quelle con l'anello partecipano. Poi conferma."],
  },
  {
    id: "route",
    spot: "map",
    when: (m) => m.ask === "pick_route",
    en: ["The way there", "Click where the team should go: the way is measured as it grows. The ghost shows where it will stand; the handle turns it. Too far? The game says why, and offers the furthest point."],
    pl: ["Droga do celu", "Kliknij, dokąd ma iść drużyna: droga mierzy się sama. Duch pokazuje, gdzie stanie; uchwyt ją obraca. Za daleko? Gra powie dlaczego i zaproponuje najdalszy punkt."],
    it: ["Il percorso", "Clicca dove deve andare la squadra: il percorso si misura da solo. L'ombra mostra dove si fermerà; la maniglia la gira. Troppo lontano? Il gioco dice perché e propone il punto più lontano."],
  },
  {
    id: "shooting",
    spot: "decision",
    when: (m) => m.ask === "pick_one" && m.phase === "phase.shooting" && !m.interrupt,
    en: ["Shooting", "Pick who fires, then at whom. Beside a target stand the odds, exact to the last die. With the eye above the table you can check a line of sight at any time."],
    pl: ["Strzelanie", "Wybierz, kto strzela, potem do kogo. Obok celu widać szanse, policzone co do jednej kości. Okiem nad stołem sprawdzisz linię widoczności, kiedy chcesz."],
    it: ["Il tiro", "Scegli chi spara, poi a chi. Accanto al bersaglio stanno le probabilità, esatte fino all'ultimo dado. Con l'occhio sopra il tavolo controlli la linea di vista quando vuoi."],
  },
  {
    id: "why",
    spot: "panel-body",
    when: (m) => m.rolled,
    en: ["Every number explains itself", "In the log the dice are drawn as they fell. “Why?” shows each modifier and its rule; a click on the rule's id shows its words."],
    pl: ["Każda liczba się tłumaczy", "W dzienniku kości leżą tak, jak wypadły. „Dlaczego?” pokazuje każdy modyfikator i jego zasadę; kliknij jej numer, by ją przeczytać."],
    it: ["Ogni numero si spiega", "Nel diario i dadi sono come sono caduti. «Perché?» mostra ogni modificatore e la sua regola; clicca il suo nome per leggerla."],
  },
  {
    id: "interrupt",
    spot: "decision",
    when: (m) => m.interrupt,
    en: ["It is their turn, but you are asked", "The book lets you answer some things the enemy does. Such questions come when they happen."],
    pl: ["To ich tura, ale pytanie jest do ciebie", "Na niektóre działania wroga możesz odpowiedzieć. Takie pytania pojawiają się w odpowiedniej chwili."],
    it: ["È il loro turno, ma tocca a te", "Il regolamento ti lascia reagire ad alcune azioni nemiche. Queste domande arrivano al momento giusto."],
  },
  {
    id: "assault",
    when: (m) => m.phase === "phase.assault" && m.ask === "pick_one" && !m.interrupt,
    en: ["Assault", "Close in and fight hand to hand. Pinned platoons do not charge; defenders shoot first. Take it when the odds are good."],
    pl: ["Szturm", "Doskocz i walcz wręcz. Przygnieciony pluton nie szturmuje, a obrońcy strzelają pierwsi. Szturmuj, gdy szanse są dobre."],
    it: ["L'assalto", "Avvicinati e combatti corpo a corpo. Un plotone inchiodato non assalta; i difensori sparano per primi. Fallo quando conviene."],
  },
  {
    id: "win",
    when: (m) => m.turn >= 3 && m.ask === "pick_one",
    en: ["How to win", "From the third turn on, holding the farmyard alone wins. Under “Forces” you see who holds it. Good luck!"],
    pl: ["Jak wygrać", "Od trzeciej tury wygrywa ten, kto sam trzyma podwórze. W zakładce „Siły” widać, kto je trzyma. Powodzenia!"],
    it: ["Come si vince", "Dal terzo turno vince chi tiene da solo l'aia. In «Forze» vedi chi la tiene. Buona fortuna!"],
  },
];

/** When the game is over. */
export const AFTER: Step = {
  id: "after",
  when: () => false,
  en: ["Your first game is over", "The replay shows it again, moment by moment, from either side. On the first page larger battles and other games wait, against the bot or a friend."],
  pl: ["Pierwsza gra za tobą", "Powtórka pokaże ją jeszcze raz, krok po kroku, z obu stron. Na stronie głównej czekają większe bitwy i inne gry, z botem albo z przyjacielem."],
  it: ["La prima partita è finita", "Il replay la mostra di nuovo, momento per momento, da entrambe le parti. Nella pagina iniziale ti aspettano battaglie più grandi e altri giochi, contro il bot o un amico."],
};

/** The first idea whose moment has come and that has not been told yet. */
export const stepFor = (moment: Moment, told: ReadonlySet<string>): Step | undefined =>
  STEPS.find((step) => !told.has(step.id) && step.when(moment));
