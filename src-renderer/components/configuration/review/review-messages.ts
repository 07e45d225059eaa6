import type { ConfiguredServer } from '../../../../src-shared/domain/installation/configuration'
import { counted, formatList } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/visible-text'

/** A server that could be installed, with the app or file that it comes from. */
export type Candidate = {
  /** Unique among the candidates. */
  readonly key: string
  readonly from: readonly string[]
  readonly server: ConfiguredServer
}

/** `7 servers from Claude Desktop and Cursor`. */
export function reviewHeadline(candidates: readonly Candidate[]): string {
  const from = [...new Set(candidates.flatMap((one) => one.from))].map(visibleText)
  const servers = counted(candidates.length, 'server')
  return from.length === 0 ? servers : `${servers} from ${formatList(from)}`
}

/** `6 commands and 1 remote address. 4 secrets move to the keychain.` */
export function reviewSummary(
  candidates: readonly Candidate[],
  { isInMemory }: { readonly isInMemory: boolean },
): string {
  const remote = candidates.filter(({ server }) => server.preview?.kind === 'remote').length
  const commands = candidates.length - remote
  const secrets = candidates
    .flatMap(({ server }) => server.secrets)
    .filter(({ isKept }) => isKept).length
  const runs = [
    ...(commands === 0 ? [] : [counted(commands, 'command')]),
    ...(remote === 0 ? [] : [`${String(remote)} remote address${remote === 1 ? '' : 'es'}`]),
  ]
  const verb = secrets === 1 ? 'moves' : 'move'
  const place = isInMemory
    ? `${secrets === 1 ? 'stays' : 'stay'} in memory until you quit`
    : `${verb} to the keychain`
  const kept = secrets === 0 ? '' : ` ${counted(secrets, 'secret')} ${place}.`
  return `${formatList(runs)}.${kept}`
}

/** How many candidates have a warning about their command. */
export function toCheck(candidates: readonly Candidate[]): number {
  return candidates.filter(({ server }) => (server.preview?.warnings.length ?? 0) > 0).length
}
