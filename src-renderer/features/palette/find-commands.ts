import type { LucideIcon } from 'lucide-react'
import MiniSearch from 'minisearch'

/** Where a command stands in the list. */
const COMMAND_GROUPS = ['Recent', 'Actions', 'Servers', 'Tools', 'Catalog'] as const
type CommandGroup = (typeof COMMAND_GROUPS)[number]

/** Something that can be done or gone to, by its words. */
export type Command = {
  /** Unique and the same over time. */
  readonly id: string
  readonly group: Exclude<CommandGroup, 'Recent'>
  readonly title: string
  /** The title is a name of a program's, to be drawn as one. */
  readonly isCode?: boolean
  readonly where: string
  /** Words that also find it. */
  readonly words?: string
  readonly icon: LucideIcon
  readonly keys?: readonly string[]
  /** The part of the title that says what is done, where the rest is a name: found by the name alone it comes after what has that name. */
  readonly verb?: string
  /** The server whose other commands it leads to. */
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
/** Words of one letter are too short to be mistyped. */
const FUZZY_FROM = 4
const FUZZY = 0.2

type FoundGroup = { readonly group: CommandGroup; readonly commands: readonly Command[] }

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The words of a name: `create_pull-request` has three, and `createPullRequest` the same three besides itself. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return apart === text ? plainWords(text) : [...plainWords(text), ...plainWords(apart)]
}

/** Finds commands by the words of their titles, also by their beginnings and mistyped. */
export class CommandFinder {
  readonly #commands: ReadonlyMap<string, Command>
  readonly #index = new MiniSearch<Command>({
    fields: ['title', 'where', 'words'],
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: plainWords,
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
   * The best of each group, the groups in their order, but actions found by a name alone come after the servers: Enter after a
   * name opens what is called so, and does nothing to it. `more` are found elsewhere and follow as they are.
   */
  find(query: string, more: readonly Command[]): readonly FoundGroup[] {
    const results = this.#index.search(query)
    const found = results.flatMap(({ id }) => this.#commands.get(id as string) ?? [])
    const isMeant = results.some(({ id, match }) => {
      const command = this.#commands.get(id as string)
      return command?.group === 'Actions' && isByVerb(command, Object.keys(match))
    })
    const order = isMeant ? COMMAND_GROUPS : NAME_FIRST
    return grouped([...found, ...more], order)
  }

  /** What is shown before anything is typed: what was run last, then what leads on. */
  offer(recent: readonly string[]): readonly FoundGroup[] {
    const again = recent.flatMap((id) => this.#commands.get(id) ?? [])
    const others = [...this.#commands.values()].filter(
      ({ id, group }) => group !== 'Tools' && !recent.includes(id),
    )
    const groups = grouped(others, COMMAND_GROUPS)
    return again.length === 0 ? groups : [{ group: 'Recent', commands: again }, ...groups]
  }
}

/** Whether a command was found by what it does, not only by the name that it does it to. */
function isByVerb({ verb }: Command, terms: readonly string[]): boolean {
  return verb === undefined || wordsOf(verb).some((word) => terms.includes(word))
}

function grouped(
  commands: readonly Command[],
  order: readonly CommandGroup[],
): readonly FoundGroup[] {
  return order.flatMap((group) => {
    const own = commands.filter((command) => command.group === group).slice(0, MOST[group])
    return own.length === 0 ? [] : [{ group, commands: own }]
  })
}
