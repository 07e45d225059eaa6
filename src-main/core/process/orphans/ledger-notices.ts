import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import type { LedgerEvent } from './orphan-ledger'
import type { Orphan } from './reap-orphans'

const MAX_NAMED = 4

/** Owner of programs that Patchbay runs for its own checks. */
export const VET_OWNER = ''

/** The notice for the user. `nameOf` returns an installation's name, or undefined if it is gone. */
export function noticeOf(
  event: LedgerEvent,
  nameOf: (installationId: string) => string | undefined,
): AppNotice {
  switch (event.kind) {
    case 'reaped': {
      const { ended, left } = event.reaped
      const did =
        ended.length > 0
          ? [
              `${subjectOf(ended, nameOf)} kept running and ${ended.length === 1 ? 'is' : 'are'} stopped now.`,
            ]
          : []
      const failed =
        left.length > 0
          ? [
              `${subjectOf(left, nameOf)} couldn’t be stopped. Look for ${left.length === 1 ? 'it' : 'them'} in the system’s process list.`,
            ]
          : []
      return {
        noticeId: 'orphans-ended',
        severity: left.length > 0 ? 'warn' : 'info',
        title: 'Patchbay quit before it could stop its servers',
        message: [...did, ...failed].join(' '),
      }
    }
    case 'movedAside':
      return {
        noticeId: 'children-unknown',
        severity: 'warn',
        title: 'Servers from the last run may still be running',
        message: `The list of running servers couldn’t be used. ${event.reason} It was kept as ${event.to}.`,
      }
    case 'unwritable':
      return {
        noticeId: 'children-unnoted',
        severity: 'warn',
        title: 'Patchbay can’t record which servers it starts',
        message: `If Patchbay crashes, its servers may keep running. ${event.reason}`,
      }
  }
}

/** "2 processes and 1 container of Files and Memory". */
function subjectOf(
  orphans: readonly Orphan[],
  nameOf: (installationId: string) => string | undefined,
): string {
  const kinds = [
    countOf(orphans, 'process', 'processes'),
    countOf(orphans, 'container', 'containers'),
  ].filter((text) => text !== undefined)
  const names = new Set(
    orphans.map(({ owner }) =>
      owner === VET_OWNER
        ? 'Patchbay itself'
        : (nameOf(owner) ?? 'a server that is no longer in the list'),
    ),
  )
  const sorted = [...names].toSorted()
  const named = sorted.slice(0, MAX_NAMED)
  const rest = sorted.length - named.length
  const list = rest > 0 ? [...named, `${String(rest)} more`] : named
  return `${kinds.join(' and ')} of ${joined(list)}`
}

function countOf(
  orphans: readonly Orphan[],
  kind: Orphan['kind'],
  many: string,
): string | undefined {
  const count = orphans.filter((one) => one.kind === kind).length
  if (count === 0) return undefined
  return count === 1 ? `1 ${kind}` : `${String(count)} ${many}`
}

function joined(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
