import { SECRET_MASK } from '../../../src-shared/domain/launch-plan'

/** Below this length a value is too likely to be an ordinary word of the log. */
const SHORTEST_SECRET = 4

/**
 * A function that masks every known secret value in a text, the longest first. Of a secret of several
 * lines each line is masked too, for a log arrives line by line.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const parts = [...secrets].flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
  const known = [...new Set(parts)]
    .filter((part) => part.trim().length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return (text) => text
  const pattern = new RegExp(known.map(escapePattern).join('|'), 'g')
  return (text) => text.replace(pattern, SECRET_MASK)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
