import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { untilWords } from '../../ui/text/failure-messages'
import { counted, formatCount, formatList } from '../../ui/text/format'
import { waitsForUser } from '../../ui/text/status-messages'

function part(count: number, one: string, many = one): string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`]
}

/** Servers that retry automatically, with the moment of the next try. */
function retryText(servers: readonly Pick<ServerView, 'status'>[], now: number): string[] {
  const moments = servers.flatMap(({ status }) =>
    status.kind === 'backingOff' ? [status.until] : [],
  )
  const when = untilWords(Math.min(...moments), now)
  return part(moments.length, `retrying ${when}`, `retrying, the first ${when}`)
}

/** What the statuses of servers don't show. */
export type Beyond = {
  /** Tools that wait for approval. */
  readonly held: number
  /** Stopped servers that start with their first use. */
  readonly waiting: number
  /** Connections of apps that need attention. */
  readonly apps?: number
  /** Servers with a newer version. */
  readonly updates?: number
}

/** The answer of the Home page and its proof, from the servers as they are; `now` is epoch ms. */
export function homeWords(
  servers: readonly Pick<ServerView, 'status'>[],
  now: number,
  { held, waiting, apps = 0, updates = 0 }: Beyond = { held: 0, waiting: 0 },
): {
  readonly headline: string
  readonly proof: string
} {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const proof = [
    ...part(count('ready'), 'ready'),
    ...part(count('starting'), 'starting'),
    ...retryText(servers, now),
    ...part(count('stopping'), 'stopping'),
    ...part(waiting, 'starts on first use', 'start on first use'),
    ...part(count('stopped') - waiting, 'stopped'),
    ...part(updates, 'update available', 'updates available'),
  ].join(', ')
  const attention = attentionText(servers.filter(waitsForUser).length, apps, held)
  // The headline says it all of a single server, and where all are ready.
  const isAlone = servers.length === 1 && count('ready') + count('starting') + waiting === 1
  const isSaid = updates === 0 && (isAlone || count('ready') === servers.length)
  return {
    headline: attention ?? headlineOf(servers.length, waiting, count),
    proof: attention === undefined && isSaid ? '' : proof,
  }
}

/** Everything that needs the user: "2 servers and 1 app need attention"; undefined where nothing does. */
function attentionText(servers: number, apps: number, tools: number): string | undefined {
  const total = servers + apps + tools
  if (total === 0) return undefined
  if (total === tools)
    return `${counted(tools, 'tool')} ${tools === 1 ? 'needs' : 'need'} your approval`
  const parts = [...part(servers, 'server', 'servers'), ...part(apps, 'app', 'apps')]
  const subject = formatList([...parts, ...part(tools, 'tool', 'tools')])
  return `${subject} ${total === 1 ? 'needs' : 'need'} attention`
}

function headlineOf(
  all: number,
  waitForUse: number,
  count: (kind: ServerView['status']['kind']) => number,
): string {
  if (all === 0) return 'No servers yet'
  const [retrying, starting, ready] = [count('backingOff'), count('starting'), count('ready')]
  if (retrying > 0)
    return `${counted(retrying, 'server')} ${retrying === 1 ? 'is' : 'are'} retrying`
  if (starting > 0)
    return `${counted(starting, 'server')} ${starting === 1 ? 'is' : 'are'} starting`
  if (ready === all) return all === 1 ? 'Your server is ready' : 'All servers are ready'
  if (waitForUse === all)
    return all === 1 ? 'Your server starts on first use' : 'All servers start on first use'
  return ready === 0
    ? 'All servers are stopped'
    : `${formatCount(ready)} of ${counted(all, 'server')} ready`
}
