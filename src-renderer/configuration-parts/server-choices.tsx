import type { ReactElement, ReactNode } from 'react'

import type {
  ConfiguredServer,
  ServerChoice,
} from '../../src-shared/domain/installation/configuration'
import { Button } from '../ui/controls/button'
import { visibleText } from '../ui/text/visible-text'

/** What is decided about one server, wherever it stands. */
export type Decided = Omit<ServerChoice, 'index'>

/** Nothing decided: what looks like a secret is kept as one, nothing else is read. */
export const UNDECIDED: Decided = { open: [], environment: [], asWritten: [], envFile: false }

type ChoicesProps = {
  readonly server: ConfiguredServer
  readonly choice: Decided
  readonly onChoose: (choice: Decided) => void
}

/** The list with a text added to it or taken from it. */
function toggled(list: readonly string[], text: string, isIn: boolean): string[] {
  const rest = list.filter((one) => one !== text)
  return isIn ? [...rest, text] : rest
}

function Tick(props: {
  readonly isTicked: boolean
  readonly onTick: (isTicked: boolean) => void
  readonly children: ReactNode
}): ReactElement {
  const { isTicked, onTick, children } = props
  return (
    <label className="tick row gap-2 slim break">
      <input
        type="checkbox"
        className="check"
        checked={isTicked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}

const PLACES = {
  argument: 'argument',
  variable: 'variable',
  header: 'header',
  address: 'in the address',
} as const

function Secrets({ server, choice, onChoose }: ChoicesProps): ReactElement | null {
  if (server.secrets.length === 0) return null
  return (
    <fieldset className="stack at-start gap-1">
      <legend className="below-1 faint small medium">To the keychain</legend>
      {server.secrets.map(({ id, label, place }) => (
        <Tick
          key={id}
          isTicked={!choice.open.includes(id)}
          onTick={(isTicked) => onChoose({ ...choice, open: toggled(choice.open, id, !isTicked) })}
        >
          <code>{visibleText(label)}</code> <span className="faint">{PLACES[place]}</span>
        </Tick>
      ))}
    </fieldset>
  )
}

function Variable(
  props: Omit<ChoicesProps, 'server'> & { readonly name: string; readonly isThere: boolean },
): ReactElement {
  const { name, isThere, choice, onChoose } = props
  const isAsWritten = choice.asWritten.includes(name)
  return (
    <div className="row wrap gap-2 slim">
      {isThere && !isAsWritten ? (
        <Tick
          isTicked={choice.environment.includes(name)}
          onTick={(isTicked) =>
            onChoose({ ...choice, environment: toggled(choice.environment, name, isTicked) })
          }
        >
          Take the value that <code>{visibleText(name)}</code> has now
        </Tick>
      ) : (
        <span className="faint">
          <code>{visibleText(name)}</code>{' '}
          {isAsWritten ? 'stays as it is written.' : 'is not set here.'}
        </span>
      )}
      <Button
        size="small"
        onClick={() =>
          onChoose({ ...choice, asWritten: toggled(choice.asWritten, name, !isAsWritten) })
        }
      >
        {isAsWritten ? 'Read as a variable' : 'Keep as written'}
      </Button>
    </div>
  )
}

function Environment({ server, choice, onChoose }: ChoicesProps): ReactElement | null {
  if (server.environment.length === 0) return null
  return (
    <fieldset className="stack at-start gap-1">
      <legend className="below-1 faint small medium">From your environment</legend>
      {server.environment.map(({ name, isThere }) => (
        <Variable key={name} name={name} isThere={isThere} choice={choice} onChoose={onChoose} />
      ))}
    </fieldset>
  )
}

function EnvFile({ server, choice, onChoose }: ChoicesProps): ReactElement | null {
  const { envFile } = server
  if (envFile === undefined) return null
  return (
    <fieldset className="stack at-start gap-1">
      <legend className="below-1 faint small medium">File of variables</legend>
      <p>
        <code>{visibleText(envFile.path)}</code>
      </p>
      {envFile.problem === undefined ? null : <p className="soft">{envFile.problem}</p>}
      {envFile.count === undefined ? (
        <Button size="small" onClick={() => onChoose({ ...choice, envFile: true })}>
          Read the file
        </Button>
      ) : (
        <p className="faint">
          {envFile.count} variable{envFile.count === 1 ? '' : 's'} read; all go to the keychain.
        </p>
      )}
    </fieldset>
  )
}

/** What the person decides about one server of a configuration before it is added. */
export function ServerChoices(props: ChoicesProps): ReactElement {
  return (
    <>
      <Secrets {...props} />
      <Environment {...props} />
      <EnvFile {...props} />
    </>
  )
}
