declare module "virtual:nato-symbols" {
  const drawn: Record<string, { box: string; svg: string; width: number; height: number }>;
  export default drawn;
}
