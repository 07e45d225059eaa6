import type { LucideIcon } from 'lucide-react'
import MiniSearch from 'minisearch'

/** Groups of the list, in order. */
const COMMAND_GROUPS = ['Recent', 'Actions', 'Servers', 'Tools', 'Catalog'] as const
type CommandGroup = (typeof COMMAND_GROUPS)[number]

/** A command: an action or a place to open. */
export type Command = {
  /** Unique and stable over time. */
  readonly id: string
  readonly group: Exclude<CommandGroup, 'Recent'>
  readonly title: string
  /** Whether the title is a technical name, shown in the code font. */
  readonly isCode?: boolean
  readonly where: string
  /** Additional search words. */
  readonly keywords?: string
  readonly icon: LucideIcon
  readonly keys?: readonly string[]
  /** The action part of a title whose rest is a name. A match by the name alone ranks below the named item. */
  readonly verb?: string
  /** The server whose other commands the command opens. */
  readonly serverId?: string
  readonly run: () => void
}

const MOST: Readonly<Record<CommandGroup, number>> = {
  Recent: 5,
  Actions: 8,
  Servers: 6,
  Tools: 8,
  Catalog: 6,
}
const NAME_FIRST: readonly CommandGroup[] = ['Servers', 'Actions', 'Tools', 'Catalog']
/** Minimum length of words that may contain typos. */
const FUZZY_FROM = 4
const FUZZY = 0.2

type CommandMatches = { readonly group: CommandGroup; readonly commands: readonly Command[] }

function normalizedWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Splits a name into words: `create_pull-request` has three, and `createPullRequest` the same three and itself. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return apart === text
    ? normalizedWords(text)
    : [...normalizedWords(text), ...normalizedWords(apart)]
}

/** Searches commands by title words, with prefixes and typos. */
export class CommandFinder {
  readonly #commands: ReadonlyMap<string, Command>
  readonly #index = new MiniSearch<Command>({
    fields: ['title', 'where', 'words'],
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: normalizedWords,
      boost: { title: 4 },
      prefix: true,
      fuzzy: (term) => (term.length < FUZZY_FROM ? false : FUZZY),
      combineWith: 'AND',
    },
  })

  constructor(commands: readonly Command[]) {
    this.#commands = new Map(commands.map((command) => [command.id, command]))
    this.#index.addAll([...this.#commands.values()])
  }

  /**
   * Returns the best matches of each group. Actions matched only by a name come after the servers: Enter after a name opens the named item
   * and changes nothing. `more` are external results, appended unchanged.
   */
  find(query: string, more: readonly Command[]): readonly CommandMatches[] {
    const results = this.#index.search(query)
    const found = results.flatMap(({ id }) => this.#commands.get(id as string) ?? [])
    const isMeant = results.some(({ id, match }) => {
      const command = this.#commands.get(id as string)
      return command?.group === 'Actions' && isByVerb(command, Object.keys(match))
    })
    const order = isMeant ? COMMAND_GROUPS : NAME_FIRST
    return grouped([...found, ...more], order)
  }

  /** Returns the list for an empty search: recent commands, then the others. */
  offer(recent: readonly string[]): readonly CommandMatches[] {
    const repeated = recent.flatMap((id) => this.#commands.get(id) ?? [])
    const others = [...this.#commands.values()].filter(
      ({ id, group }) => group !== 'Tools' && !recent.includes(id),
    )
    const groups = grouped(others, COMMAND_GROUPS)
    return repeated.length === 0 ? groups : [{ group: 'Recent', commands: repeated }, ...groups]
  }
}

/** Whether a command matched by its action, not only by the name of its object. */
function isByVerb({ verb }: Command, terms: readonly string[]): boolean {
  return verb === undefined || wordsOf(verb).some((word) => terms.includes(word))
}

function grouped(
  commands: readonly Command[],
  order: readonly CommandGroup[],
): readonly CommandMatches[] {
  return order.flatMap((group) => {
    const inGroup = commands.filter((command) => command.group === group).slice(0, MOST[group])
    return inGroup.length === 0 ? [] : [{ group, commands: inGroup }]
  })
}
