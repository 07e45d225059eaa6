import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { formatAgo } from '../../ui/text/format'

/** Formats a time within a sentence: "just now", "2 min ago", "on Nov 3, 2026". */
export function momentText(at: number, now: number): string {
  const moment = formatAgo(at, now)
  return /\d{4}$/u.test(moment) ? `on ${moment}` : moment
}

/** Returns the origin of the last known list: "Listed 3 min ago by version 1.2.0. The server is not running."; empty during a session. */
export function listedText(
  { listedAt, packageVersion, isLive }: Pick<ServerTools, 'listedAt' | 'packageVersion' | 'isLive'>,
  now: number,
): string {
  if (isLive || listedAt === undefined) return ''
  const by = packageVersion === undefined ? '' : ` by version ${packageVersion}`
  return `Listed ${momentText(listedAt, now)}${by}. The server is not running.`
}

/** Returns the text for a list that was never loaded; `noun` is plural, such as "tools". */
export function unlistedText(
  { name, status, enabled }: Pick<ServerView, 'name' | 'status' | 'enabled'>,
  starts: ServerTools['starts'],
  noun: string,
): string {
  const isWaiting = status.kind === 'stopped'
  if (isWaiting && enabled && starts === 'onFirstUse')
    return `${name} starts on demand. Start the server once to list its ${noun}.`
  return isWaiting
    ? `Start ${name} once to list its ${noun}. The list stays available after the server stops.`
    : `The ${noun} of ${name} appear here when the server is ready.`
}
