import { createHash } from 'node:crypto'

import type { SourceState } from '../../../src-shared/domain/catalog/catalog-sync'
import type { CatalogMemory } from './catalog-memory'
import { RegistryStatus } from './registry-status'
import type { CatalogWorker } from './thread/catalog-worker'

export type KnowledgeOptions = {
  readonly memory: CatalogMemory
  /** The documents that come with Patchbay. */
  readonly starters: readonly unknown[]
  /** Registry names of what is installed. */
  readonly installedNames: () => readonly string[]
  /** Names the sources that the catalog follows now. */
  readonly sourceText: () => string
  /** It could not be remembered; told once. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * What is known of the catalog without opening it: how its sources stand, and what they say of the servers that
 * are installed. It is remembered from the last run, as long as it is about the same sources and starters.
 */
export class CatalogKnowledge {
  readonly statuses = new RegistryStatus()
  readonly #options: KnowledgeOptions
  readonly #starters: string
  #states: readonly SourceState[] = []
  /** The servers that `standings` is about. */
  #installed = ''
  #isThere = false
  #hasTold = false

  constructor(options: KnowledgeOptions) {
    this.#options = options
    this.#starters = createHash('sha256').update(JSON.stringify(options.starters)).digest('hex')
    const known = options.memory.read()
    if (known?.sources !== options.sourceText() || known.starters !== this.#starters) return
    this.#states = known.states
    this.#installed = known.installed
    this.statuses.replace(known.statuses)
    this.#isThere = true
  }

  get states(): readonly SourceState[] {
    return this.#states
  }

  /** Whether anything is known. */
  get isThere(): boolean {
    return this.#isThere
  }

  /** Whether other servers are installed than those that `standings` is about. */
  get isBehind(): boolean {
    return this.#installed !== this.#installedText()
  }

  /** Asks how the sources stand; gives whether they stand otherwise than was known. */
  async count(worker: CatalogWorker): Promise<boolean> {
    const states = await worker.sources()
    const isOther = !this.#isThere || JSON.stringify(states) !== JSON.stringify(this.#states)
    this.#states = states
    this.#isThere = true
    this.#remember()
    return isOther
  }

  /** Asks what the sources say of the installed servers; gives the names of those that stand otherwise than before. */
  async compare(worker: CatalogWorker): Promise<Set<string>> {
    this.#installed = this.#installedText()
    const statuses = await worker.statuses([...new Set(this.#options.installedNames())])
    const changed = this.statuses.replace(statuses)
    if (this.#isThere) this.#remember()
    return changed
  }

  /** What cannot be remembered is asked again by the next run, so it stands in nobody's way. */
  #remember(): void {
    try {
      this.#options.memory.write({
        version: 1,
        sources: this.#options.sourceText(),
        starters: this.#starters,
        installed: this.#installed,
        states: [...this.#states],
        statuses: this.statuses.list,
      })
    } catch (error) {
      if (!this.#hasTold) this.#options.onTrouble(error)
      this.#hasTold = true
    }
  }

  #installedText(): string {
    return this.#options.installedNames().join('\n')
  }
}
