import { type CustomServerText, openText, plainText } from '../domain/installation/custom-server'
import { namesSecret } from '../domain/secret-name'
import { isSwitchValue } from '../domain/server-json/named-secrets'

/** A secret part of a text, by its offsets. */
export type SecretSpan = { readonly start: number; readonly end: number; readonly label: string }

/** Context of a text. */
export type TextContext = {
  readonly place: 'argument' | 'variable' | 'header' | 'address'
  /** Name of the variable or header, or the flag before an argument. */
  readonly name: string | undefined
}

/**
 * Prefixes of the keys of well-known services, each with enough characters that no word matches. None starts inside a word, so that the
 * search stays linear.
 */
const KNOWN_VALUES = [
  /(?<![\w-])sk-[A-Za-z0-9_-]{16,}/g,
  /(?<![\w-])[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /(?<![\w-])gh[pousr]_[A-Za-z0-9]{20,}/g,
  /(?<![\w-])github_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![\w-])glpat-[A-Za-z0-9_-]{16,}/g,
  /(?<![\w-])x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}/g,
  /(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /(?<![\w-])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![\w-])(?:hf|npm|lin_api|ntn|secret|r8|pplx|tvly|fc|figd|dop_v1)[-_][A-Za-z0-9_-]{20,}/g,
  /(?<![\w-])ya29\.[A-Za-z0-9_-]{20,}/g,
  /(?<![\w-])SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/g,
]
/** `user:password@` of an address; the second group is the password. */
const USER_INFO = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/?#:@]{0,200}:)([^\s/?#]{1,500})@/gi
/** Named values inside a text: the text before the value, the name, the value. */
const INNER_VALUES = [
  // The query of an address.
  /([?&#]([\w.~-]+)=)([^&#\s]+)/g,
  // `Server=h;Password=p`; a value may contain spaces.
  /((?:^(?=[^;]*;)|;)\s{0,3}([A-Za-z][\w. -]{0,60}?)\s{0,3}=\s{0,3})("[^"]{0,500}"|'[^']{0,500}'|[^;]+)/g,
  // `host=h password=p`, and arguments within one text.
  /((?:^|[\s,])-{0,2}([A-Za-z][\w.-]{0,60})=)("[^"]{0,500}"|'[^']{0,500}'|[^\s;]+)/g,
  // A member of a JSON object.
  /("([\w.-]{1,60})"\s{0,3}:\s{0,3}")((?:[^"\\]|\\.)+)/g,
]
const SCHEME = /^(?:bearer|basic|token|apikey|api-key|digest)\s+/i
const BEARER = /^(?:-{0,2}[\w-]+[=:]\s*){0,4}bearer\s+(?=\S)/i
/**
 * `--flag=value`, `--flag value`, `NAME=value` and `Name: value` in one argument. It looks ahead for the space before it looks back for the
 * dash, so that the search stays linear.
 */
const NAMED_VALUE = /^(-{0,2}([A-Za-z][\w.-]*)(?:=|:\s*|(?=\s)(?<=^-[\w.-]*)\s+))(\S[\s\S]*)$/
/** Maximum number of names before a value: `--header=Authorization: Bearer x` has two. */
const MAX_NAMES = 4
/** Longer texts are secret by their name only. */
const MAX_SEARCHED = 4_000

/** Finds the secrets of a text, by its name and by their form; in order, without overlaps. */
export function findSecrets(text: string, context: TextContext): SecretSpan[] {
  const name = context.name ?? ''
  if (namesSecret(name)) return findNamedSecrets(text, context)
  const searched = text.slice(0, MAX_SEARCHED)
  return withoutOverlaps([
    ...findNamedSecrets(text, context),
    ...passwords(searched, name),
    ...bearers(searched, name, context),
    ...known(searched, text, name, context),
  ])
}

/** Finds the secrets of a text that a name indicates: its own name, or one inside it. */
function findNamedSecrets(text: string, context: TextContext): SecretSpan[] {
  const name = context.name ?? ''
  if (text.trim() === '') return []
  if (namesSecret(name)) {
    const start = schemeLength(text)
    return start < text.length ? [{ start, end: text.length, label: name }] : []
  }
  const searched = text.slice(0, MAX_SEARCHED)
  return withoutOverlaps([...namedValue(searched, text, context), ...innerValues(searched)])
}

function namedValue(searched: string, text: string, { place }: TextContext): SecretSpan[] {
  if (place !== 'argument') return []
  let start = 0
  for (let names = 0; names < MAX_NAMES; names += 1) {
    const [, lead = '', flag = '', value = ''] = NAMED_VALUE.exec(searched.slice(start)) ?? []
    if (value === '') return []
    start += lead.length
    if (!namesSecret(flag)) continue
    start += schemeLength(value)
    return start < text.length ? [{ start, end: text.length, label: flag }] : []
  }
  return []
}

function schemeLength(value: string): number {
  return SCHEME.exec(value)?.[0].length ?? 0
}

function passwords(text: string, name: string): SecretSpan[] {
  return Array.from(text.matchAll(USER_INFO), ({ index, 1: lead = '', 2: password = '' }) => {
    const start = index + lead.length
    return { start, end: start + password.length, label: name === '' ? 'password' : name }
  })
}

function innerValues(text: string): SecretSpan[] {
  return INNER_VALUES.flatMap((pattern) => Array.from(text.matchAll(pattern)))
    .filter(({ 2: name = '' }) => namesSecret(name))
    .map(({ index, 1: lead = '', 2: label = '', 3: value = '' }) => {
      const start = index + lead.length
      return { start: start + schemeLength(value), end: start + value.length, label }
    })
    .filter(({ start, end }) => start < end)
}

function bearers(text: string, name: string, { place }: TextContext): SecretSpan[] {
  const [lead = ''] = BEARER.exec(text) ?? []
  const label = name === '' ? place : name
  return lead === '' ? [] : [{ start: lead.length, end: text.length, label }]
}

function known(searched: string, text: string, name: string, { place }: TextContext): SecretSpan[] {
  return KNOWN_VALUES.flatMap((pattern) =>
    Array.from(searched.matchAll(pattern), ({ index, 0: found }) => ({
      start: index,
      // A value that continues past the searched part is one value.
      end: index + found.length >= searched.length ? text.length : index + found.length,
      label: name === '' ? place : name,
    })),
  )
}

function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (merged.at(-1)?.end ?? 0)) merged.push(span)
  }
  return merged
}

/** Returns the flag whose value an argument is. */
export function flagBefore(args: readonly string[], index: number): string | undefined {
  const before = args[index - 1] ?? ''
  if ((args[index] ?? '').startsWith('-')) return undefined
  return /^--?([A-Za-z][\w-]*)$/.exec(before.slice(0, 200))?.[1]
}

/**
 * Placeholders of templates: `{{KEY}}`, `{KEY}`, `[[key]]`, `$KEY`, `%KEY%`, `@KEY@`, `__KEY__`, `env://KEY`, optionally with a scheme
 * before it.
 */
const PLACEHOLDER =
  /^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken) +)?(?:\{\{[^{}]+\}\}|\{[A-Za-z][\w .-]*\}|\[\[[^[\]]+\]\]|\$\{?[A-Z][A-Z0-9_]*\}?|%[A-Z][A-Z0-9_]*%|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*__|env:\/\/\w+)$/

/** Whether a text is a placeholder that a program would replace. */
export function isPlaceholder(text: string): boolean {
  return text.length <= MAX_PLACEHOLDER_LENGTH && PLACEHOLDER.test(text.trim())
}

/** Characters; a longer text is no placeholder. */
const MAX_PLACEHOLDER_LENGTH = 200

/** Whether a text must be replaced by the user: `<your token>`, `YOUR_API_KEY`, `xxxx`. */
export function isStandIn(secret: string): boolean {
  const text = secret.trim()
  if (text.length > MAX_PLACEHOLDER_LENGTH) return false
  return (
    isPlaceholder(text) ||
    /^(<[^<>]*>|\[[^[\]]*\]|x{3,}|\.{3,}|…|\*{3,}|•+|change[-_ ]?me|todo|replace[-_ ]?me)$/i.test(
      text,
    ) ||
    /^(my|your|insert|enter|paste|add)[-_ ]/i.test(text) ||
    /[-_ ](your|here)([-_ ]|$)/i.test(text)
  )
}

/** Splits an open text into parts, with a secret part for each value whose name indicates one; placeholders stay open. */
export function secretText(text: CustomServerText, context: TextContext): CustomServerText {
  const plain = plainText(text, '')
  let from = 0
  const pieces = findNamedSecrets(plain, context).flatMap(({ start, end }): CustomServerText => {
    const secret = plain.slice(start, end)
    if (isStandIn(secret) || isSwitchValue(secret)) return []
    const lead = plain.slice(from, start)
    from = end
    return [...openText(lead), { kind: 'secret', secret }]
  })
  return [...pieces, ...openText(plain.slice(from))]
}
