import type { RemotePreview } from '../../../src-shared/domain/launch-plan'
import type { ArgvLine } from '../../ui/argv-list'
import { type Marks, sourceWord, stateOf } from './argv-lines'

/** The address that is connected to, as a line of its own. */
export function addressLine({ url }: RemotePreview, marks: Marks): ArgvLine {
  return {
    text: url.text,
    secret: url.secret,
    origin: sourceWord(url.origin, marks),
    mine: url.origin.kind === 'you',
    joinsNext: false,
    state: stateOf(marks, url.origin.fieldKey, 0),
  }
}

/** The headers that every request carries. */
export function headerLines({ headers }: RemotePreview, marks: Marks): ArgvLine[] {
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
