import type { ReactElement } from 'react'

import type {
  ConfiguredServer,
  ServerChoice,
} from '../../../src-shared/domain/installation/configuration'
import { Button } from '../../ui/controls/button'
import { Checkbox } from '../../ui/controls/choice'
import { withMember } from '../../ui/controls/members'
import { visibleText } from '../../ui/text/untrusted-text'

/** The user's decisions about one server, without its index. */
export type Decided = Omit<ServerChoice, 'index'>

/** The initial choice: values that look like secrets are stored as secrets; no environment variable or file is read. */
export const UNDECIDED: Decided = {
  open: [],
  environment: [],
  passed: [],
  asWritten: [],
  envFile: false,
  withoutTerminal: false,
  asRemote: false,
}

type ChoicesProps = {
  readonly server: ConfiguredServer
  readonly choice: Decided
  readonly onChoose: (choice: Decided) => void
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
    <fieldset className="grid justify-items-start gap-1">
      <legend className="mb-1 text-small font-medium text-faint">To the keychain</legend>
      {server.secrets.map(({ id, label, place }) => (
        <Checkbox
          key={id}
          checked={!choice.open.includes(id)}
          onCheckedChange={(isTicked) =>
            onChoose({ ...choice, open: withMember(choice.open, id, !isTicked) })
          }
        >
          <code>{visibleText(label)}</code> <span className="text-faint">{PLACES[place]}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}

type VariableProps = Omit<ChoicesProps, 'server'> & {
  readonly name: string
  readonly isThere: boolean
}

/** One variable that the configuration names: copied once, read at each start, or left as plain text. */
function Variable({ name, isThere, choice, onChoose }: VariableProps): ReactElement {
  const isAsWritten = choice.asWritten.includes(name)
  const choose = (list: 'environment' | 'passed' | 'asWritten', isIn: boolean): void =>
    onChoose({
      ...choice,
      environment: withMember(choice.environment, name, isIn && list === 'environment'),
      passed: withMember(choice.passed, name, isIn && list === 'passed'),
      asWritten: withMember(choice.asWritten, name, isIn && list === 'asWritten'),
    })
  const word = <code>{visibleText(name)}</code>
  return (
    <div className="grid min-w-0 justify-items-start gap-1">
      {isAsWritten ? <span className="text-faint">{word} is kept as written.</span> : null}
      {isThere || isAsWritten ? null : (
        <span className="text-faint">{word} isn’t set on this computer.</span>
      )}
      {isThere && !isAsWritten ? (
        <Checkbox
          checked={choice.environment.includes(name)}
          onCheckedChange={(isTicked) => choose('environment', isTicked)}
        >
          Use the current value of {word}
        </Checkbox>
      ) : null}
      {isAsWritten ? null : (
        <Checkbox
          checked={choice.passed.includes(name)}
          onCheckedChange={(isTicked) => choose('passed', isTicked)}
        >
          Read {word} at every start
        </Checkbox>
      )}
      <Button size="small" onClick={() => choose('asWritten', !isAsWritten)}>
        {isAsWritten ? 'Read as a variable' : 'Keep as written'}
      </Button>
    </div>
  )
}

function Environment({ server, choice, onChoose }: ChoicesProps): ReactElement | null {
  if (server.environment.length === 0) return null
  return (
    <fieldset className="grid justify-items-start gap-1">
      <legend className="mb-1 text-small font-medium text-faint">From your environment</legend>
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
    <fieldset className="grid justify-items-start gap-1">
      <legend className="mb-1 text-small font-medium text-faint">Environment file</legend>
      <p>
        <code>{visibleText(envFile.path)}</code>
      </p>
      {envFile.problem === undefined ? null : <p className="text-muted">{envFile.problem}</p>}
      {envFile.count === undefined ? (
        <Button size="small" onClick={() => onChoose({ ...choice, envFile: true })}>
          Read file
        </Button>
      ) : (
        <p className="text-faint">
          {envFile.count} variable{envFile.count === 1 ? '' : 's'} read. All values go to the
          keychain.
        </p>
      )}
    </fieldset>
  )
}

function Wrapped({ server, choice, onChoose }: ChoicesProps): ReactElement | null {
  const offer = server.adjustments.find(({ change }) => change === 'asRemote')
  if (offer === undefined && !choice.asRemote) return null
  return (
    <fieldset className="grid justify-items-start gap-1">
      <legend className="mb-1 text-small font-medium text-faint">Remote server</legend>
      {offer === undefined ? null : <p className="text-muted">{offer.message}</p>}
      <Checkbox
        checked={choice.asRemote}
        onCheckedChange={(asRemote) => onChoose({ ...choice, asRemote })}
      >
        Use as remote server
      </Checkbox>
    </fieldset>
  )
}

/** The user's decisions about one server of a configuration before it is added. */
export function ServerChoices(props: ChoicesProps): ReactElement {
  return (
    <>
      <Wrapped {...props} />
      <Secrets {...props} />
      <Environment {...props} />
      <EnvFile {...props} />
    </>
  )
}
