/** Which option is meant by digits typed so far: sure at once, or maybe more digits to come. */
export function byDigits(typed: string, count: number): { index: number | null; sure: boolean } {
  const number = Number(typed);
  if (!typed || number < 1 || number > count) return { index: null, sure: true };
  return { index: number - 1, sure: number * 10 > count };
}
