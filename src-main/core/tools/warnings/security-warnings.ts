import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../../src-shared/domain/agents/tools'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { madeOnce } from '../../lifecycle/same-object'
import { escapeInvisible, hiddenIn, normalizedText } from './hidden-text'

/**
 * One kind of sentence that addresses a model, not the reader of a description. Every match contains one of `keywords`, in lower case, and all
 * patterns of `all` match the same section.
 */
type InjectionRule = {
  readonly finding: string
  readonly keywords: readonly string[]
  readonly all: readonly RegExp[]
}

/** Characters of a section; the next one begins half of it later. */
const SECTION_LENGTH = 400
const CITED = 100

/**
 * English only. Matches are to be read, not proof: a rule is useful while most of its matches are worth reading. No quantifier is nested in
 * another unbounded one, so time grows linearly.
 */
const RULES: readonly InjectionRule[] = [
  {
    finding: 'Asks a model to ignore other instructions',
    keywords: ['ignore', 'disregard', 'forget', 'override', 'bypass'],
    all: [
      /\b(?:ignore|disregard|forget|override|bypass)\b(?: [\w'’]+){0,3} (?:previous|prior|above|earlier|preceding|system|safety|your|user'?s?|other)(?: \w+){0,2} (?:instructions?|prompts?|guidelines?|rules|directives|messages|restrictions|policies)\b|\b(?:ignore|disregard|forget) (?:everything|anything|all|what) (?:above|before|else|you|that was)\b/i,
    ],
  },
  {
    finding: 'Asks a model to hide something from you',
    keywords: [
      'user',
      'human',
      'person',
      'people',
      'anyone',
      'anybody',
      'operator',
      'secret',
      'covert',
    ],
    all: [
      /\b(?:do not|don['’]?t|never|must not|should not|avoid)\b(?: \w+){0,3} (?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|alert(?:ing)?)\b[^.]{0,60}\b(?:users?|humans?|persons?|people|anyone|anybody|operator)\b|\bwithout (?:telling|informing|asking|notifying|alerting|the (?:knowledge|consent|permission|approval) of)\b(?: \w+){0,2} (?:users?|humans?|person|anyone|anybody)\b|\bwithout the (?:user|human)['’]?s? (?:knowledge|consent|permission|approval)\b|\b(?:secretly|covertly)\b|\b(?:secret|hidden|hide (?:this|it|that)|confidential) from (?:the )?(?:users?|humans?|person|anyone)\b/i,
    ],
  },
  {
    finding: 'Asks to be used before or instead of other tools',
    keywords: ['before', 'prior to', 'instead', 'always', 'must', 'other', 'servers'],
    all: [
      /\b(?:before|prior to|instead of)\b(?: \w+){0,3} (?:any|all|every|each)(?: other| another)? (?:tools?|functions?)\b|\b(?:before|instead of)(?: \w+){0,2} (?:any )?other (?:tools?|functions?)\b|\balways\b(?: \w+){0,3} (?:call|use|run|invoke|execute) this\b(?: \w+){0,2} (?:first|before)\b|\bmust (?:always )?be (?:called|used|run|invoked|executed) (?:first|before (?:any|all|every|other))\b|\b(?:do not|don['’]?t|never) (?:use|call|invoke) (?:any )?other tools?\b|\btools? (?:of|from|on) (?:other|another|all) (?:mcp )?servers?\b/i,
    ],
  },
  {
    finding: 'Contains markers that some models read as a system message',
    keywords: ['<', '[', '#'],
    all: [
      // Within a path the tag is a placeholder: "options.<assistant>.exposed".
      /(?<![./](?=<[^<>]*>[./]))<\/?(?:important|system|system[_-]prompt|instructions?|override|critical|assistant)>|<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<!--|(?:^| )#{1,3} ?(?:system|instructions?) ?:/i,
    ],
  },
  {
    finding: 'Mentions reading files that contain keys or program settings',
    keywords: ['~/.', 'id_', '.aws', '/etc/', 'mcp.json', 'claude_', 'authorized_', '_history'],
    all: [
      /\b(?:read|open|load|cat|include|pass|send|copy|provide|attach|paste|contents?|fetch|access|retrieve)\b/i,
      /~\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|cursor|config)\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws\/credentials|\/etc\/(?:passwd|shadow|sudoers)|\bmcp\.json\b|claude_desktop_config|\bauthorized_keys\b|\.(?:bash|zsh)_history\b/i,
    ],
  },
  {
    finding: 'Mentions sending private data',
    keywords: ['http', '@', 'attacker', 'webhook', 'to this', 'to the following'],
    all: [
      /\b(?:send|post|forward|upload|exfiltrate|transmit|leak|email|bcc)\b/i,
      /\b(?:conversations?|chat (?:history|log)|message history|system prompt|api[ _-]?keys?|credentials?|secrets?|passwords?|access tokens?|private keys?|environment variables?|env vars?|(?:file )?contents?)\b/i,
      /https?:\/\/|\b[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]|\b(?:attacker|webhook)\b|\bto (?:this|the following) (?:address|url|number|endpoint|server)\b/i,
    ],
  },
  {
    finding: 'Names an address to send everything to',
    keywords: ['+', '@'],
    all: [
      /\b(?:always|all|every|must|instead|also)\b/i,
      /\b(?:send|forward|change|set|replace|bcc|cc|redirect)\b/i,
      /\b(?:recipients?|messages?|e-?mails?|payments?|numbers?)\b/i,
      /\+\d{8}|\b[\w.+-]{1,64}@(?!example\.)[\w-]{1,64}\.[a-z]/i,
    ],
  },
  {
    finding: 'Gives a model a new task or role',
    keywords: ['you', 'new', 'jailbreak', 'prompt', 'instructions', 'thought'],
    all: [
      /\byou are now\b|\bfrom now on,? you\b|\bnew (?:system )?instructions?:|\byour (?:new|real|true|actual) (?:task|goal|instructions?|purpose|objective)\b|\bjailbreak|\b(?:reveal|repeat|print|output|send|include|return)\b(?: \w+){0,3} (?:your|the) (?:system prompt|instructions|chain of thought)\b/i,
    ],
  },
  {
    finding: 'Contains a long run of letters that may be encoded text',
    keywords: [''],
    all: [/(?<![A-Za-z0-9+/])(?=[A-Za-z+/]*[0-9])(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{100}/],
  },
]

/** Returns what a text orders a model to do beyond describing the tool, as sentences; each kind once. */
export function findPromptInjections(text: string): string[] {
  const normalized = normalizedText(text).replace(/\s+/g, ' ')
  const small = normalized.toLowerCase()
  return RULES.flatMap((rule) => {
    const section =
      rule.keywords.some((word) => small.includes(word)) && matchingSection(normalized, rule)
    return typeof section === 'string' ? [`${rule.finding}: “${cited(section, rule)}”.`] : []
  })
}

function matchingSection(text: string, { all }: InjectionRule): string | undefined {
  const [only, ...others] = all
  if (others.length === 0) return only?.test(text) ? text : undefined
  for (
    let from = 0;
    from === 0 || from + SECTION_LENGTH / 2 < text.length;
    from += SECTION_LENGTH / 2
  ) {
    const section = text.slice(from, from + SECTION_LENGTH)
    if (all.every((one) => one.test(section))) return section
  }
  return undefined
}

function cited(section: string, { all }: InjectionRule): string {
  const offsets = all.map((one) => section.search(one))
  const from = Math.max(0, Math.min(...offsets) - CITED / 4)
  return `${from > 0 ? '…' : ''}${escapeInvisible(section.slice(from), CITED)}`
}

/** A text of a tool's definition with its path, such as `inputSchema.properties.path.description`; a key has its own path. */
type ToolText = { readonly where: string; readonly text: string }

/** Cost of each value in addition to its characters: even an empty text takes work. */
const VALUE_COST = 10
/** Maximum characters of a path: complete paths of a deep schema are far longer than the schema. */
const MAX_PLACE_LENGTH = 300

/**
 * Collects every text of a tool that agents get, including schema keys, and the cost of reading: characters, plus 10 per value. Stops
 * beyond `maxCost`; `isWhole` is false then.
 */
function textsOf(
  { name, title, description, annotations, inputSchema, outputSchema, ...others }: Tool,
  maxCost: number,
): { readonly texts: ToolText[]; readonly isWhole: boolean; readonly cost: number } {
  const texts: ToolText[] = []
  let cost = 0
  // Icon data is long, and no model reads it.
  delete others.icons
  const parts = { name, title, description, annotations, inputSchema, outputSchema, ...others }
  for (const [part, content] of Object.entries(parts))
    for (const { where, value } of valuesIn(part, content)) {
      if (cost >= maxCost) return { texts, isWhole: false, cost }
      cost += VALUE_COST
      if (typeof value !== 'string') continue
      cost += value.length
      if (value !== '') texts.push({ where, text: value })
    }
  return { texts, isWhole: cost <= maxCost, cost }
}

/** Yields a value and all nested values with their paths; a key comes before its value. */
function* valuesIn(
  where: string,
  value: unknown,
): Generator<{ readonly where: string; readonly value: unknown }> {
  yield { where, value }
  if (Array.isArray(value))
    for (const [at, one] of value.entries())
      yield* valuesIn(pathBelow(where, String(at), true), one)
  else if (isJsonObject(value))
    for (const [key, one] of Object.entries(value)) {
      const path = pathBelow(where, key, false)
      yield { where: path, value: key }
      yield* valuesIn(path, one)
    }
}

function pathBelow(where: string, key: string, isList: boolean): string {
  if (where.length > MAX_PLACE_LENGTH) return where
  return isList ? `${where}[${key}]` : `${where}.${key}`
}

const TEXT_CHARACTERS = 20_000
/** Cost limits of one tool and of a listing, some tenths of a second: characters, plus 10 per value. */
const TOOL_COST = 1_000_000
const LISTING_COST = 2_000_000
/** Maximum number of warnings per tool. */
const MAX_WARNINGS = 20
const SHOWN_PATH = 120
/** Length of the shortest text that any prompt injection pattern matches. */
const MIN_ORDER_LENGTH = 4

/** Returns what a user should review in the texts of each tool of a listing, in order. See `docs/decisions/0023-trust-pins.md`. */
export function findSecurityWarnings(tools: readonly Tool[]): SecurityWarning[][] {
  const alike = similarNames(tools.map(({ name }) => name))
  let remaining = LISTING_COST
  return tools.map((tool, index) => {
    const { texts, isWhole, cost } = textsOf(tool, Math.min(remaining, TOOL_COST))
    remaining -= cost
    const other = alike[index]
    const securityWarnings = [
      ...(isWhole ? [] : [TOO_LONG]),
      ...(other === undefined ? [] : [homoglyphWarning(tool.name, other, 'the same server')]),
    ]
    for (const text of texts) {
      if (securityWarnings.length >= MAX_WARNINGS) break
      securityWarnings.push(...textWarnings(text))
    }
    return securityWarnings.slice(0, MAX_WARNINGS)
  })
}

const TOO_LONG: SecurityWarning = {
  kind: 'instruction',
  where: '',
  message: 'The definition is too long to check completely. The end was not checked.',
}

function homoglyphWarning(name: string, other: string, owner: string): SecurityWarning {
  const message = `The name “${escapeInvisible(name)}” looks like “${escapeInvisible(other)}” of ${owner}.`
  return { kind: 'lookAlike', where: 'name', message }
}

function textWarnings({ where, text }: ToolText): SecurityWarning[] {
  const read = text.slice(0, TEXT_CHARACTERS)
  const orders = read.length < MIN_ORDER_LENGTH ? [] : findPromptInjections(read)
  if (text.length > TEXT_CHARACTERS)
    orders.push(
      `The text has ${text.length.toLocaleString()} characters; only the first ${TEXT_CHARACTERS.toLocaleString()} were checked.`,
    )
  return [
    ...hiddenIn(read).map((message): SecurityWarning => ({
      kind: 'invisible',
      ...at(where),
      message,
    })),
    ...orders.map((message): SecurityWarning => ({ kind: 'instruction', ...at(where), message })),
  ]
}

function at(where: string): Pick<SecurityWarning, 'where'> {
  return { where: escapeInvisible(where, SHOWN_PATH) }
}

/** A server with its tools' names; the user chose `name`. */
export type NamedServer = {
  readonly installationId: string
  readonly alias: string
  readonly name: string
  readonly tools: readonly Tool[]
}

/** Longer names are never exposed, so only their beginning is compared. */
const COMPARED = 128
const READ = 20_000

/** Normalizes visual differences of a name: case, `-_.`, 0 and O, 1, l and I, rn and m, vv and w, doubled letters. */
function folded(name: string): string {
  return (
    normalizedText(name.slice(0, COMPARED))
      .toLowerCase()
      .replace(/[-_. ]+/g, '')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // Only next to a letter: 1 and 11 are two numbers.
      .replace(/(?<=[a-z])0|0(?=[a-z])/g, 'o')
      .replace(/(?<=[a-z])1|1(?=[a-z])|[i|]/g, 'l')
      .replace(/([a-z])\1+/g, '$1')
  )
}

/** Returns for each name of one server the earlier one that it resembles, if any; equal names don't count. */
function similarNames(names: readonly string[]): (string | undefined)[] {
  const first = new Map<string, string>()
  return names.map((name) => {
    const fold = folded(name)
    const other = first.get(fold)
    if (other === undefined) first.set(fold, name)
    return other === name ? undefined : other
  })
}

/**
 * Returns what can be mistaken for another server's tools: for each such server the warnings of all its tools, in order. Of two similar
 * tools the later server's is reported. Equal names of two servers count only if the aliases look alike, too, because different aliases
 * distinguish them. Results are cached per list, so that a change of one server is cheap.
 */
export function findHomoglyphs(servers: readonly NamedServer[]): Map<string, SecurityWarning[][]> {
  const firstOwners = new Map<string, { readonly server: NamedServer; readonly name: string }>()
  const found = new Map<string, SecurityWarning[][]>()
  const named = servers.map(({ alias, name }) => `${alias} ${name}`).join('\n')
  for (const server of servers) {
    // All servers with empty lists share one list object.
    if (server.tools.length === 0) continue
    const folds = foldsOf(server.tools)
    const claims = claimsOf(server, servers, named)
    const securityWarnings = server.tools.map(({ name }, index): SecurityWarning[] => {
      const other = firstOwners.get(folds[index] ?? '')
      const isLike =
        other && (other.name !== name || folded(other.server.alias) === folded(server.alias))
      const like = isLike
        ? [homoglyphWarning(name, other.name, `the server “${escapeInvisible(other.server.name)}”`)]
        : []
      return [...like, ...(claims[index] ?? [])]
    })
    for (const [index, { name }] of server.tools.entries()) {
      const fold = folds[index] ?? ''
      if (!firstOwners.has(fold)) firstOwners.set(fold, { server, name })
    }
    if (securityWarnings.some((some) => some.length > 0))
      found.set(server.installationId, securityWarnings)
  }
  return found
}

type Claims = {
  /** The names of all servers and of this one. */
  readonly named: string
  readonly alias: string
  readonly securityWarnings: SecurityWarning[][]
}

const claimsCache = new WeakMap<readonly Tool[], Claims>()

const foldsOf = madeOnce((tools: readonly Tool[]) => tools.map(({ name }) => folded(name)))

/** Returns the warnings of tools whose title or description mentions another server. */
function claimsOf(
  server: NamedServer,
  servers: readonly NamedServer[],
  named: string,
): SecurityWarning[][] {
  const cached = claimsCache.get(server.tools)
  if (cached?.named === named && cached.alias === server.alias) return cached.securityWarnings
  const others = servers.filter(({ alias }) => alias !== server.alias && alias.length > 2)
  const uppers = others.map(({ alias }) => alias.toUpperCase())
  let claim: RegExp | undefined
  const securityWarnings = server.tools.map((tool) =>
    (['title', 'description'] as const).flatMap((where): SecurityWarning[] => {
      const text = normalizedText(tool[where]?.slice(0, READ) ?? '')
      const upper = text.toUpperCase()
      // Building and matching the pattern takes far longer, and few texts mention another server.
      if (!uppers.some((alias) => upper.includes(alias))) return []
      claim ??= claimPattern(others.map(({ alias }) => alias))
      const match = claim.exec(text)
      if (!match) return []
      const groups: (string | undefined)[] = match.slice(1)
      const alias = groups.find((one) => one !== undefined)?.toLowerCase()
      const name = others.find((one) => one.alias.toLowerCase() === alias)?.name ?? ''
      const cited = escapeInvisible(text.slice(Math.max(0, match.index - 20)), 80)
      const message = `Mentions “${escapeInvisible(name)}”, another of your servers: “${cited}”.`
      return [{ kind: 'lookAlike', where, message }]
    }),
  )
  claimsCache.set(server.tools, { named, alias: server.alias, securityWarnings })
  return securityWarnings
}

/** Matches an exposed name of another server, a title that begins with its alias, or words that name it as a server. */
function claimPattern(aliases: readonly string[]): RegExp {
  const alias = `(${aliases.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
  return new RegExp(
    String.raw`(?<![\w-])${alias}__\w|^\[${alias}\]|^${alias} ?[:/|]|(?<![\w-])official ${alias}\b|(?<![\w-])${alias}(?:['\u2019]s)? (?:mcp )?(?:server|tools?)\b`,
    'i',
  )
}
