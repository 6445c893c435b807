import { api } from "./api";

/** A match as a file on the reader's disk. */
export async function saveToFile(match: string, tokens: string[]): Promise<void> {
  const blob = await api.save(tokens[0]!, tokens);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${match}.sandtable-save`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
