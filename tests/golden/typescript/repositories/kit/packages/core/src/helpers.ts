export function trim(text: string): string {
  return text;
}
