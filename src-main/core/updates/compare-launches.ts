import { diffArrays } from 'diff'

import type {
  ChangedLine,
  LaunchChanges,
} from '../../../src-shared/domain/installation/launch-changes'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'

/** A launch with the folder of its bundle, which has another name for each file and says nothing to a user. */
export type ComparedLaunch = {
  readonly preview: LaunchPreview
  readonly folder?: string | undefined
}

/** What stands for the folder of a bundle. */
const BUNDLE = '<bundle>'

/** What changes from one launch to another, as a user reads it: argv items stay in their order, the rest goes by name. */
export function compareLaunches(before: ComparedLaunch, after: ComparedLaunch): LaunchChanges {
  const [old, next] = [before, after].map(({ preview, folder }) => ({
    command: commandLines(preview).map((line) => withoutFolder(line, folder)),
    pairs: pairLines(preview).map((line) => withoutFolder(line, folder)),
  }))
  return {
    command: compareLines(old?.command ?? [], next?.command ?? []),
    pairs: compareLines(old?.pairs ?? [], next?.pairs ?? []),
  }
}

function withoutFolder(line: string, folder: string | undefined): string {
  return folder === undefined ? line : line.replaceAll(folder, BUNDLE)
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
