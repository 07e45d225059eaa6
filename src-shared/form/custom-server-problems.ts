import {
  type CustomFieldPath,
  type CustomServer,
  type CustomServerPair,
  type CustomServerProblem,
  type CustomServerText,
  plainText,
} from '../domain/installation/custom-server'

/** Replaces a secret if only the shape of the rest matters. */
const PLACEHOLDER = 'x'
/** RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NO_NUL = 'Remove the NUL character.'

/** Returns every problem of the typed parts, in the order of the page. Missing secrets are not included. */
export function problemsOfCustomServer(made: CustomServer): CustomServerProblem[] {
  if (made.kind === 'address')
    return [...urlProblems(made.url), ...pairProblems('headers', made.headers)]
  return [
    ...commandProblems(made.command),
    ...made.args.flatMap((text, index) =>
      hasNul(text) ? [problem(`args.${index}`, `Argument ${index + 1}`, NO_NUL)] : [],
    ),
    ...pairProblems('env', made.env),
  ]
}

function problem(fieldPath: CustomFieldPath, label: string, message: string): CustomServerProblem {
  return { fieldPath, label, message }
}

function hasNul(text: CustomServerText): boolean {
  return text.some((piece) => typedText(piece).includes('\0'))
}

/** Empty if the text is not on the page. */
function typedText(piece: CustomServerText[number]): string {
  if (piece.kind === 'text') return piece.text
  return piece.kind === 'secret' ? piece.secret : ''
}

function commandProblems(command: string): CustomServerProblem[] {
  if (command.trim() === '') return [problem('command', 'Command', 'Enter the program to run.')]
  return command.includes('\0') ? [problem('command', 'Command', NO_NUL)] : []
}

function urlProblems(url: CustomServerText): CustomServerProblem[] {
  const text = plainText(url, PLACEHOLDER).trim()
  if (text === '') return [problem('url', 'Address', 'Enter the server’s address.')]
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return isWeb
    ? []
    : [problem('url', 'Address', 'Enter a URL that starts with https:// or http://.')]
}

const PAIRS = {
  env: { one: 'Variable', another: 'Another variable has this name.' },
  headers: { one: 'Header', another: 'Another header has this name.' },
} as const

function pairProblems(
  place: keyof typeof PAIRS,
  pairs: readonly CustomServerPair[],
): CustomServerProblem[] {
  const seen = new Set<string>()
  return pairs.flatMap(({ name, value }, index) => {
    const label = `${PAIRS[place].one} ${name.trim() === '' ? String(index + 1) : name}`
    const same = place === 'headers' ? name.toLowerCase() : name
    const isTaken = seen.has(same)
    seen.add(same)
    const fault = isTaken ? PAIRS[place].another : nameFault(place, name)
    const valueFault = place === 'headers' ? headerFault(value) : hasNul(value) && NO_NUL
    return [
      ...(fault === undefined ? [] : [problem(`${place}.${index}.name`, label, fault)]),
      ...(valueFault ? [problem(`${place}.${index}.value`, label, valueFault)] : []),
    ]
  })
}

function nameFault(place: keyof typeof PAIRS, name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  if (name.includes('\0')) return NO_NUL
  if (name.includes('=')) return 'Names can’t contain “=”. Enter the value in its own field.'
  if (place === 'headers' && !HEADER_NAME.test(name))
    return 'Use only letters, digits, and hyphens in header names.'
  return undefined
}

function headerFault(value: CustomServerText): string | undefined {
  const isInvalid = value.some((piece) => /[\0\r\n]/.test(typedText(piece)))
  return isInvalid ? 'Use a single line for headers.' : undefined
}
