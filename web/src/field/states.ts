/* Signs for the states of pieces, on a field of 16 by 16. A state without a sign shows the first letters of its word. */
export const SIGNS: Record<string, string> = {
  pinned: "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
  suppressed: "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
  bailed_out: "M3 13h6v-3M6 6.5a1.8 1.8 0 1 0 0-.1M9 8l4-4M10.5 3.5H13V6",
  bogged: "M2 9q2-2 4 0t4 0 4 0M2 12.5q2-2 4 0t4 0 4 0M8 2v4",
  dug_in: "M2 12l2-5h2l2 5 2-5h2l2 5",
  moved: "M2 8h10M8.5 4.5L12 8l-3.5 3.5",
  shot: "M8 2v3M8 11v3M2 8h3M11 8h3M4 4l2 2M10 10l2 2M12 4l-2 2M4 12l2-2",
  fired: "M8 2v3M8 11v3M2 8h3M11 8h3M4 4l2 2M10 10l2 2M12 4l-2 2M4 12l2-2",
  spotted: "M1.5 8Q8 1.5 14.5 8 8 14.5 1.5 8ZM8 6a2 2 0 1 0 .01 0",
  in_building: "M2.5 8L8 3l5.5 5M4 7.5V13h8V7.5",
  at_the_double: "M3 4l4 4-4 4M8 4l4 4-4 4",
  leaderless: "M8 3.2a2 2 0 1 0 .01 0M4.5 13q0-4 3.5-4t3.5 4M2.5 2.5l11 11",
  in_reserve: "M5 2v5L8 8.5 11 7V2M5 14V9.5L8 8l3 1.5V14",
  disengaged: "M13 8H3M6.5 4.5L3 8l3.5 3.5",
  reorganising: "M12.5 8a4.5 4.5 0 1 1-1.4-3.2M11.5 1.8v3.2H8.3",
  destroyed: "M3 3l10 10M13 3L3 13",
  disordered: "M3 5l4-2 2 4 4-2M3 12l4-2 2 4 4-2",
  routed: "M3 3l5 5-5 5M13 3v10",
  overwatch: "M8 2a6 6 0 1 0 .01 0M8 5v3l2.5 2",
  disorganised: "M3 3l3 4-3 6M8 3l3 4-3 6M13 3v3M13 9v4",
  moving: "M2 8h10M8.5 4.5L12 8l-3.5 3.5",
  move_tried: "M2 8h8M8.5 5L11.5 8l-3 3M13.5 4v8",
  attempted_fire: "M8 2v3M8 11v3M2 8h3M11 8h3",
  posture_fire: "M8 3a5 5 0 1 0 .01 0M8 1v4M8 11v4M1 8h4M11 8h4",
  road_rate: "M5 14L7 2M11 14L9 2M8 12v-2M8 7V5",
  overran: "M2 12h12M4 9h8l1 3H3zM8 2v5M5.5 5L8 7.5 10.5 5",
  hidden: "M2 8Q8 2 14 8M2 8q6 6 12 0M2.5 2.5l11 11",
};

/** States that only say what was done this turn: drawn small. */
export const QUIET = new Set(["moved", "shot", "fired", "acted", "in_building", "moving", "move_tried", "attempted_fire", "posture_fire", "road_rate", "overran"]);

export const letters = (word: string): string => word.replace(/[^\p{L}\d]/gu, "").slice(0, 2);
