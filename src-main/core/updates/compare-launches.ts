import { diffArrays } from 'diff'

import type { ChangedLine, LaunchChanges } from '../../../src-shared/domain/launch-changes'
import type { LaunchPreview } from '../../../src-shared/domain/launch-plan'

/** What changes from one launch to another, as a person reads it: argv items stay in their order, the rest goes by name. */
export function compareLaunches(before: LaunchPreview, after: LaunchPreview): LaunchChanges {
  return {
    command: compareLines(commandLines(before), commandLines(after)),
    pairs: compareLines(pairLines(before), pairLines(after)),
  }
}

function compareLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  return diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    value.map((text) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text }) as const),
  )
}

function commandLines(preview: LaunchPreview): string[] {
  if (preview.kind === 'remote') return [`${preview.type} ${preview.url.text}`]
  const { command, args, cwd } = preview
  const folder = cwd === undefined ? [] : [`in ${cwd}`]
  return [command, ...args.map(({ text }) => text), ...folder]
}

function pairLines(preview: LaunchPreview): string[] {
  const [pairs, sign] = preview.kind === 'remote' ? [preview.headers, ': '] : [preview.env, '=']
  return pairs.map(({ name, text }) => `${name}${sign}${text}`).toSorted()
}
