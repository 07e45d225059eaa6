import type { RemotePreview } from '../../../../src-shared/domain/installation/launch-plan'
import type { ArgvLine } from '../../../ui/marks/argv-list'
import { type Marks, sourceWord, stateOf } from '../values/argv-lines'

/** The address that is connected to, as a line of its own. */
export function addressLine({ url }: RemotePreview, marks: Marks): ArgvLine {
  return {
    text: url.text,
    // A secret in an address is masked in its place, and the rest is worth reading.
    secret: false,
    origin: sourceWord(url.origin, marks),
    mine: url.origin.kind === 'you',
    joinsNext: false,
    state: stateOf(marks, url.origin.fieldKey, 0),
  }
}

/** The address that a package serves on this computer. */
export function servedLine(url: string): ArgvLine {
  return {
    text: url,
    secret: false,
    origin: 'package',
    mine: false,
    joinsNext: false,
    state: 'plain',
  }
}

/** The headers that every request carries. */
export function headerLines(headers: RemotePreview['headers'], marks: Marks): ArgvLine[] {
  return headers.map((header) => ({
    text: header.text,
    lead: `${header.name}: `,
    secret: header.secret,
    origin: sourceWord(header.origin, marks),
    mine: header.origin.kind === 'you',
    joinsNext: false,
    state: stateOf(marks, header.origin.fieldKey, 0),
  }))
}
