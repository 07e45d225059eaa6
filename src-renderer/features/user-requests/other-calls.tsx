import type { ReactElement } from 'react'

import type { UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import { ArgumentList } from '../../components/user-request/argument-list'
import { useQuietTime } from '../../components/user-request/request-frame'
import {
  answerRequest,
  isOfKind,
  type RequestOf,
  useQueuedRequests,
  useServerName,
} from '../../components/user-request/user-request-store'
import { useAction } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { visibleText } from '../../ui/text/untrusted-text'

type CallOf = RequestOf<'call'>

function natureOf({ body }: CallOf): string {
  if (body.isReadOnly === true) return 'Marked read-only by the server'
  return body.isDestructive ? 'Destructive' : ''
}

function Calls({ calls }: { readonly calls: readonly CallOf[] }): ReactElement {
  const nameOf = useServerName()
  return (
    <ul className="grid gap-2">
      {calls.map((one) => (
        <li key={one.requestId} className="grid gap-1">
          <div className="flex items-center gap-2">
            <span className="truncate flex-1">
              {one.agent !== undefined && `${visibleText(one.agent)}: `}
              <code>{visibleText(one.body.tool)}</code>
              {` on ${nameOf(one)}`}
            </span>
            <span className="text-small text-muted">{natureOf(one)}</span>
          </div>
          <ArgumentList requestId={one.requestId} rows={one.body.arguments} />
        </li>
      ))}
    </ul>
  )
}

/** The other calls that wait for approval with their arguments, and one answer for all of them. */
export function OtherCalls(props: {
  readonly request: CallOf
  readonly isResting: boolean
}): ReactElement | null {
  const { request, isResting } = props
  const { isBusy, run } = useAction(
    // Each call has its own outcome: one that ended meanwhile doesn't stop the others.
    ({ some, answer }: { readonly some: readonly CallOf[]; readonly answer: UserRequestAnswer }) =>
      Promise.all(some.map((one) => answerRequest(one, answer))),
  )
  const calls = useQueuedRequests().filter((one): one is CallOf => isOfKind(one, 'call'))
  // When the calls change, buttons are disabled briefly, so that a click applies only to calls that the user saw.
  const isNew = useQuietTime(calls.map(({ requestId }) => requestId).join(' '))
  const others = calls.filter(({ requestId }) => requestId !== request.requestId)
  if (others.length === 0) return null
  const readOnly = calls.filter(({ body }) => body.isReadOnly === true)
  const plain = others.filter((one) => !readOnly.includes(one))
  const mayAnswer = !(isResting || isBusy || isNew)
  return (
    <section
      className="grid gap-3 rounded-lg border border-line bg-subtle px-3 py-2"
      aria-label="Other waiting calls"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium text-foreground">{`${others.length} more waiting`}</h3>
        <Button
          size="small"
          variant="quiet"
          disabled={!mayAnswer}
          onClick={() => run({ some: calls, answer: { kind: 'deny' } })}
        >
          {`Deny all ${calls.length}`}
        </Button>
      </div>
      {plain.length > 0 && <Calls calls={plain} />}
      {readOnly.length > 0 && (
        <>
          <Calls calls={readOnly} />
          <div className="flex items-center">
            <Button
              size="small"
              disabled={!mayAnswer}
              onClick={() =>
                run({
                  some: readOnly,
                  answer: { kind: 'allow', scope: 'once', target: 'tool' },
                })
              }
            >
              {`Allow ${readOnly.length} read-only`}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
