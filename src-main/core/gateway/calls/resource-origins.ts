import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { keepNewest } from '../../lifecycle/keep-newest'
import { normalUri } from '../listing/resource-route'

/** Links that are remembered over all agents; the one that came last replaces the oldest. */
const MOST_LINKS = 5_000
/** Longer addresses are not remembered, in characters. */
const LONGEST = 2_048

/** Which server named a resource to an agent last: a link in a result is read at the server that gave it. */
export class ResourceOrigins {
  readonly #servers = new Map<string, string>()

  /** The server by its id; undefined where none named it. */
  of(agentId: string, uri: string): string | undefined {
    return this.#servers.get(keyOf(agentId, uri))
  }

  /** Remembers the links in a result of a tool. */
  record(agentId: string, installationId: string, { content }: JsonObject): void {
    if (!Array.isArray(content)) return
    for (const block of content as unknown[]) {
      if (!isJsonObject(block) || block.type !== 'resource_link') continue
      const { uri } = block
      if (typeof uri === 'string' && uri.length <= LONGEST)
        keepNewest(this.#servers, keyOf(agentId, uri), installationId, MOST_LINKS)
    }
  }
}

function keyOf(agentId: string, uri: string): string {
  return `${agentId} ${normalUri(uri)}`
}
