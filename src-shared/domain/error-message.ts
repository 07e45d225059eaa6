/** The message of whatever was thrown; what is no error is written as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
