/** Returns the message of a thrown value; a value that is no error becomes text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
