import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useServerTools } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/page'
import { serverActions } from '../server/actions'

type NotRunningNotice = {
  readonly severity: 'info' | 'warn'
  readonly message: string
  readonly act?: 'start' | 'look'
}

/** Returns why a server cannot respond; undefined if it can. */
export function noticeOf(
  { status, enabled }: Pick<ServerView, 'status' | 'enabled'>,
  startsOnUse: boolean,
  verb: string,
): NotRunningNotice | undefined {
  const act = verb.toLowerCase()
  switch (status.kind) {
    case 'ready':
    case 'degraded':
      return undefined
    case 'starting':
      return {
        severity: 'info',
        message: 'The server is starting. Requests are sent when it’s ready.',
      }
    case 'stopping':
      return { severity: 'info', message: 'The server is stopping.' }
    case 'awaitingSignIn':
      return { severity: 'warn', message: 'The server waits until you sign in.', act: 'look' }
    case 'signInNeeded':
      return { severity: 'warn', message: 'Sign in to the server first.', act: 'look' }
    case 'stopped':
      if (startsOnUse && enabled)
        return { severity: 'info', message: `The first ${act} starts the server.` }
      return { severity: 'warn', message: 'The server isn’t running.', act: 'start' }
    case 'error':
    case 'backingOff':
    case 'paused':
      return {
        severity: 'warn',
        message: `The server isn’t running. ${status.message}`,
        act: 'look',
      }
  }
}

/** A banner that says why a server is not running, with the next step. */
export function NotRunning(props: {
  readonly server: ServerView
  readonly verb: string
}): JSX.Element | null {
  const { server, verb } = props
  const { installationId } = server
  const startsOnUse = useServerTools(installationId)?.starts === 'onFirstUse'
  const notice = noticeOf(server, startsOnUse, verb)
  if (notice === undefined) return null
  const { severity, message, act } = notice
  return (
    <Banner
      severity={severity}
      action={
        act === 'start' ? (
          <Button size="small" onClick={() => void serverActions.start(installationId)}>
            Start
          </Button>
        ) : (
          act === 'look' && (
            <ButtonLink size="small" href={`/servers/${installationId}`}>
              Show server
            </ButtonLink>
          )
        )
      }
    >
      {message}
    </Banner>
  )
}
