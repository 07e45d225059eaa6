import type { CustomServerText } from '../domain/installation/custom-server'

/** The last name before a value: `--api-key=`, `?key=`, `TOKEN=`, `Authorization: Bearer `. */
const BEFORE_VALUE = /([A-Za-z][\w.-]*)(?:=|:\s*(?:[A-Za-z]+\s+)?)$/

/**
 * What a person would call the secret of a text: as its configuration does, or from the flag before the text or what stands before the
 * secret in it; undefined where nothing names it, or where the text has no secret.
 */
export function nameOfSecret(text: CustomServerText, flag: string): string | undefined {
  const at = text.findIndex(({ kind }) => kind !== 'text')
  if (at === -1) return undefined
  const secret = text[at]
  if (secret?.kind === 'secret' && secret.label !== undefined) return secret.label
  const before = text
    .slice(0, at)
    .map((piece) => (piece.kind === 'text' ? piece.text : ''))
    .join('')
    .slice(-300)
  const inText = BEFORE_VALUE.exec(before)?.[1]
  if (inText !== undefined) return inText
  return before === '' ? /^--?([A-Za-z][\w-]*)$/.exec(flag.slice(0, 300))?.[1] : undefined
}
