import { type ReactElement, useId, useState } from 'react'

import type {
  CommandPreview as Command,
  RemotePreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { type ArgvLine, ArgvList } from '../../../components/configuration/argv-list'
import { useRequest } from '../../../ipc/use-request'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { counted } from '../../../ui/text/format'
import {
  argvLines,
  environmentLines,
  foldDefaults,
  type Marks,
  sourceWord,
  stateOf,
} from '../values/argv-lines'

type PairsProps = {
  readonly title: string
  readonly lines: readonly ArgvLine[]
  /** Of a list that is not all in view at first. */
  readonly fold?: ReturnType<typeof foldDefaults>
}

function Pairs({ title, lines, fold }: PairsProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { shown = lines, folded = 0 } = fold ?? {}
  const inView = isOpen ? lines : shown
  return (
    <section aria-label={title}>
      <div className="row gap-2 tall below-1 above-4">
        <h3>{title}</h3>
        <span className="faint num">{lines.length === 0 ? 'none' : `${lines.length} added`}</span>
      </div>
      <div id={id}>
        {inView.length === 0 ? null : <ArgvList label={title} lines={inView} numbered={false} />}
      </div>
      {folded === 0 ? null : (
        <div className="pad-row">
          <DisclosureButton
            label={`${String(folded)} defaults, ${isOpen ? 'hide' : 'show'}`}
            open={isOpen}
            controls={id}
            onOpenChange={setIsOpen}
          />
        </div>
      )}
    </section>
  )
}

/** Variables of this computer that the server doesn't get, by name. */
function HeldBack(): ReactElement | null {
  const { value: names = [] } = useRequest('runner.heldBack', {})
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  if (names.length === 0) return null
  return (
    <div className="pad-row">
      <DisclosureButton
        label={`${counted(names.length, 'variable')} of this computer not passed on`}
        open={isOpen}
        controls={id}
        onOpenChange={setIsOpen}
      />
      <p id={id} className="faint small break pretty" hidden={!isOpen}>
        Add a variable that the server needs to its configuration: <code>{names.join(', ')}</code>.
      </p>
    </div>
  )
}

/** A command line by line, its environment, and what it serves. */
export function CommandBody(props: {
  readonly preview: Command
  readonly marks: Marks
}): ReactElement {
  const { preview, marks } = props
  const { cwd, transport } = preview
  const environment = environmentLines(preview, marks)
  return (
    <>
      <ArgvList label="Command" lines={argvLines(preview, marks)} />
      <Pairs title="Environment" lines={environment} fold={foldDefaults(preview, environment)} />
      <HeldBack />
      {transport?.url === undefined ? null : (
        <section aria-label="Address">
          <div className="row gap-2 tall below-1 above-4">
            <h3>Then connects to</h3>
          </div>
          <ArgvList label="Address" lines={[servedLine(transport.url)]} numbered={false} />
        </section>
      )}
      {transport?.headers === undefined ? null : (
        <Pairs title="Headers" lines={headerLines(transport.headers, marks)} />
      )}
      {cwd === undefined ? null : (
        <p className="above-3 faint small break pretty">
          Runs in <code>{cwd}</code>.
        </p>
      )}
      <p className="above-3 faint small break pretty">
        Each line is one argument, exactly as shown. No shell is used, so spaces and symbols are
        safe.
      </p>
    </>
  )
}

/** The address of a remote and what each request carries. */
export function RemoteBody(props: {
  readonly preview: RemotePreview
  readonly marks: Marks
}): ReactElement {
  const { preview, marks } = props
  return (
    <>
      <ArgvList label="Address" lines={[addressLine(preview, marks)]} numbered={false} />
      <Pairs title="Headers" lines={headerLines(preview.headers, marks)} />
      <p className="above-3 faint small break pretty">
        The server runs at this address, not on this computer. Your values are sent with every
        request.
      </p>
    </>
  )
}

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
