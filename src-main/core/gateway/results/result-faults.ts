import type { ServerDirectory } from '../../servers/server-directory'
import { contextField } from '../../tools/context/context-field'
import type { ResolvedTool } from '../../tools/directory/tool-directory'

const MOST_REPORTED = 1_000

/** What is wrong with results of tools, each fault once in the log of its server. */
export class ResultFaults {
  readonly #reported = new Set<string>()

  constructor(private readonly servers: Pick<ServerDirectory, 'find'>) {}

  /** A result does not keep the output schema of its tool; `problem` is the first, a sentence. */
  brokenOutput({ installationId, tool, hash }: ResolvedTool, problem: string): void {
    this.#report(
      installationId,
      hash,
      `Results of ${contextField(tool.name)} don’t match its output schema: ${contextField(problem)} Agents get only their text.`,
    )
  }

  /** A picture or a sound in a result is of another type than the server says. */
  retyped({ installationId, tool }: ResolvedTool, given: string, found: string): void {
    this.#report(
      installationId,
      'types',
      `${contextField(tool.name)} sends ${found} as ${contextField(given) || 'no type'}. Agents get the type that the bytes show.`,
    )
  }

  #report(installationId: string, fault: string, message: string): void {
    const key = `${installationId} ${fault}`
    if (this.#reported.has(key) || this.#reported.size >= MOST_REPORTED) return
    this.#reported.add(key)
    this.servers.find(installationId)?.log.append('patchbay', 'warn', message)
  }
}
