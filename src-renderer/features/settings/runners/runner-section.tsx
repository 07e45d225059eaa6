import { type ReactElement, useEffect, useState } from 'react'

import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { RunnerView } from '../../../../src-shared/domain/running/runner-advice'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import { runnerOfKind } from '../../../../src-shared/domain/server-json/preferred-offer'
import type { AppState, ServerView } from '../../../../src-shared/domain/state/app-state'
import { useRequest } from '../../../ipc/use-request'
import { ProblemText } from '../../../ui/fields/field'
import { BrowseButton, saveSettings, SettingsBlock, TypedRow } from '../setting-row'

const PURPOSE: Readonly<Record<RunnerName, string>> = {
  npx: 'Node.js, for npm packages',
  uvx: 'uv, for Python packages',
  docker: 'Docker or Podman, for container images',
  dnx: '.NET 10, for NuGet packages',
}

function useFocus(runner: string | undefined): void {
  useEffect(() => {
    const field = runner === undefined ? null : document.getElementById(`runner-${runner}`)
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [runner])
}

/** The programs that start packages: the one in use, and an input for another path. */
export function RunnerBlock(props: {
  readonly app: AppState
  readonly focused: string | undefined
}): ReactElement {
  const { app, focused } = props
  const { info, settings, servers } = app
  const [fresh, setFresh] = useState(false)
  const state = [JSON.stringify(settings.runnerPaths)]
  const { value: views = [], loaded, retry } = useRequest('runner.list', { fresh }, { state })
  useFocus(focused)
  const save = (runner: RunnerName, path: string): Promise<string | undefined> =>
    saveSettings({ runnerPaths: { ...settings.runnerPaths, [runner]: path } })
  return (
    <SettingsBlock
      title="Runtimes"
      request={{ loaded, retry: () => (fresh ? retry() : setFresh(true)) }}
    >
      <div className="flex flex-col">
        {RunnerName.options.map((runner) => {
          const view = views.find((one) => one.runner === runner)
          return (
            <TypedRow
              key={runner}
              id={`runner-${runner}`}
              label={runner}
              note={PURPOSE[runner]}
              description={<RunnerState view={view} isNeeded={isRunnerNeeded(runner, servers)} />}
              value={settings.runnerPaths[runner] ?? ''}
              standard=""
              placeholder={view?.source === 'found' ? view.path : undefined}
              suffix={
                info.canPickPath && (
                  <BrowseButton of={runner} onPick={(path) => save(runner, path)} />
                )
              }
              onSave={(path) => save(runner, path)}
            />
          )
        })}
      </div>
    </SettingsBlock>
  )
}

/** Whether an installed server starts with a runner, as a package of its type or as a custom command. */
export function isRunnerNeeded(
  runner: RunnerName,
  servers: readonly Pick<ServerView, 'registryType' | 'identifier'>[],
): boolean {
  return servers.some(
    ({ registryType, identifier }) =>
      runnerOfKind(registryType) === runner ||
      (registryType === OWN_COMMAND && identifier === runner),
  )
}

function Problem(props: { readonly problem: string; readonly isError: boolean }): ReactElement {
  const { problem, isError } = props
  if (isError) return <ProblemText alert={false}>{problem}</ProblemText>
  return <> {problem} Not used by your servers.</>
}

/** The state of a runner. A problem is an error only if a server needs the runner or its path was set manually. */
export function RunnerState(props: {
  readonly view: RunnerView | undefined
  readonly isNeeded: boolean
}): ReactElement {
  const { view, isNeeded } = props
  if (view === undefined) return <>Checking.</>
  const { path, version, problem, source } = view
  return (
    <>
      {version ?? (path === undefined ? null : 'Unknown version.')}
      {version !== undefined && source === 'found' ? ', found on this computer.' : null}
      {version !== undefined && source === 'set' ? ', set manually.' : null}
      {problem === undefined ? null : (
        <Problem problem={problem} isError={isNeeded || source === 'set'} />
      )}
    </>
  )
}
