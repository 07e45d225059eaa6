import { setTimeout as delay } from 'node:timers/promises'

import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client'

import { messageOf } from '../../failure/describe-failure'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** What a server is to tell of; undefined where it is of the older era, or tells of nothing. */
function filterFor(client: Client): SubscriptionFilter | undefined {
  if (client.getProtocolEra() !== 'modern') return undefined
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {}
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

/**
 * Has a server of the newer era tell of changed lists, which it does only while it is asked to (MCP 2026-07-28,
 * `subscriptions/listen`); one of the older era does by itself. A subscription that ends is begun anew with longer and
 * longer waits, until `signal` is aborted. `onMissed` is called when changes may have gone by unheard. Never rejects.
 */
export async function followChanges(
  client: Client,
  options: {
    readonly signal: AbortSignal
    readonly onMissed: () => void
    readonly onWarning: (message: string) => void
  },
): Promise<void> {
  const filter = filterFor(client)
  if (!filter) return
  const { signal, onMissed, onWarning } = options
  let waitMs = FIRST_WAIT_MS
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const subscription = await client.listen(filter, { signal })
      if (!isFirst) onMissed()
      const begunAt = performance.now()
      if ((await subscription.closed) === 'local') return
      if (performance.now() - begunAt > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS
    } catch (error) {
      onWarning(`It cannot tell of changed lists at the moment: ${messageOf(error)}`)
    }
    await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined) // aborted: the loop ends
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}
