import type { ServerView } from '../../../src-shared/domain/app-state'
import { needsAttention } from '../../ui/status-words'

const SMALL = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

function inWords(count: number): string {
  return SMALL[count] ?? String(count)
}

function part(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${inWords(count).toLowerCase()} ${count === 1 ? one : many}`]
}

/** The answer of the Home page and its proof, from the servers as they are. */
export function homeWords(servers: readonly Pick<ServerView, 'status'>[]): {
  readonly headline: string
  readonly proof: string
} {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const needy = servers.filter(needsAttention).length
  const proof = [
    ...part(count('ready'), 'is ready', 'are ready'),
    ...part(count('starting'), 'is starting', 'are starting'),
    ...part(count('stopping'), 'is stopping', 'are stopping'),
    ...part(count('stopped'), 'is stopped', 'are stopped'),
  ].join(', ')
  return { headline: headlineOf(servers.length, needy, count('ready'), count('starting')), proof }
}

function headlineOf(all: number, needy: number, ready: number, starting: number): string {
  if (all === 0) return 'No servers yet'
  if (needy === 1) return 'One server needs you'
  if (needy > 1) return `${inWords(needy)} servers need you`
  if (starting === 1) return 'One server is starting'
  if (starting > 1) return `${inWords(starting)} servers are starting`
  if (ready === all) return all === 1 ? 'Your server is ready' : 'All servers are ready'
  if (ready === 0) return 'Nothing is running'
  return 'All is well'
}

/** Errors before what still works, otherwise in the order given. */
export function mostUrgentFirst<S extends Pick<ServerView, 'status'>>(servers: readonly S[]): S[] {
  const isError = (server: S): boolean => server.status.kind === 'error'
  return [...servers.filter(isError), ...servers.filter((server) => !isError(server))]
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
