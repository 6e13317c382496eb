export function listParts(): string[] {
  return [];
}
