import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { visibleText } from '../../ui/text/visible-text'
import type { ArgvLine } from './argv-list'

type Shown = { readonly text: string; readonly secret: boolean; readonly name?: string }

function lineOf({ text, secret, name }: Shown, sign: string): ArgvLine {
  return {
    text: visibleText(text),
    secret,
    ...(name !== undefined && { lead: visibleText(`${name}${sign}`) }),
    origin: secret ? 'secret' : '',
    mine: false,
    joinsNext: false,
    state: 'plain',
  }
}

/** What would run or be connected to, line by line. */
export function launchLines(preview: LaunchPreview): ArgvLine[] {
  return preview.kind === 'remote'
    ? [lineOf(preview.url, '')]
    : [{ text: preview.command, secret: false }, ...preview.args].map((one) => lineOf(one, ''))
}

/** Its variables or headers. */
export function pairLines(preview: LaunchPreview): ArgvLine[] {
  return preview.kind === 'remote'
    ? preview.headers.map((one) => lineOf(one, ': '))
    : preview.env.map((one) => lineOf(one, '='))
}

/** The launch in one line, for a glance. */
export function summaryLine(preview: LaunchPreview): string {
  return launchLines(preview)
    .map(({ text }) => (text === '' ? '""' : text))
    .join(' ')
}
