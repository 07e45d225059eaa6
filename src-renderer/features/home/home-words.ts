import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { untilWords } from '../../ui/text/failure-words'
import { needsAttention } from '../../ui/text/status-words'

const SMALL = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

function inWords(count: number): string {
  return SMALL[count] ?? String(count)
}

function part(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${inWords(count).toLowerCase()} ${count === 1 ? one : many}`]
}

/** Those that try again by themselves, with the moment of the next try. */
function triesWords(servers: readonly Pick<ServerView, 'status'>[], now: number): string[] {
  const moments = servers.flatMap(({ status }) =>
    status.kind === 'backingOff' ? [status.until] : [],
  )
  const when = untilWords(Math.min(...moments), now)
  return part(moments.length, `tries again ${when}`, `try again, the first ${when}`)
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
    ...part(count('ready'), 'is ready', 'are ready'),
    ...part(count('starting'), 'is starting', 'are starting'),
    ...triesWords(servers, now),
    ...part(count('stopping'), 'is stopping', 'are stopping'),
    ...part(waiting, 'waits for its first use', 'wait for their first use'),
    ...part(count('stopped') - waiting, 'is stopped', 'are stopped'),
    ...part(updates, 'can be updated', 'can be updated'),
  ].join(', ')
  const needy = needyWords(servers.filter(needsAttention).length, apps, held)
  // The headline says it all of a single server, and where all are ready.
  const isAlone = servers.length === 1 && count('ready') + count('starting') + waiting === 1
  const isSaid = updates === 0 && (isAlone || count('ready') === servers.length)
  return {
    headline: needy ?? headlineOf(servers.length, waiting, count),
    proof: needy === undefined && isSaid ? '' : proof,
  }
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Everything that needs the user: "Two servers and one app need you"; undefined where nothing does. */
function needyWords(servers: number, apps: number, tools: number): string | undefined {
  const counts = [
    [servers, 'server'],
    [apps, 'app'],
    [tools, 'tool'],
  ] as const
  const needy = counts.filter(([count]) => count > 0)
  const [first] = needy
  if (first === undefined) return undefined
  if (needy.length === 1 && first[1] === 'tool')
    return tools === 1
      ? 'One tool waits for your approval'
      : `${inWords(tools)} tools wait for your approval`
  const total = needy.reduce((sum, [count]) => sum + count, 0)
  const words = list.format(
    needy.map(
      ([count, noun]) => `${inWords(count).toLowerCase()} ${noun}${count === 1 ? '' : 's'}`,
    ),
  )
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${total === 1 ? 'needs' : 'need'} you`
}

function headlineOf(
  all: number,
  waitForUse: number,
  count: (kind: ServerView['status']['kind']) => number,
): string {
  if (all === 0) return 'No servers yet'
  const [waiting, starting] = [count('backingOff'), count('starting')]
  if (waiting > 0)
    return waiting === 1
      ? 'One server is tried again'
      : `${inWords(waiting)} servers are tried again`
  if (starting > 0)
    return starting === 1 ? 'One server is starting' : `${inWords(starting)} servers are starting`
  if (count('ready') === all) return all === 1 ? 'Your server is ready' : 'All servers are ready'
  if (waitForUse > 0 && waitForUse === all)
    return all === 1
      ? 'Your server waits for its first use'
      : 'All servers wait for their first use'
  return count('ready') === 0 ? 'Nothing is running' : 'All is well'
}

/** A sentence as it follows the name of its server: "The server exited." becomes " exited." after it. */
export function afterName(name: string, sentence: string): string {
  if (sentence.startsWith('Not started: '))
    return ` is ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
  for (const subject of ['The server', name]) {
    if (sentence.startsWith(`${subject} `)) return sentence.slice(subject.length)
  }
  return `: ${sentence}`
}
