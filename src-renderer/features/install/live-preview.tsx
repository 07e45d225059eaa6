import type { ReactElement } from 'react'
import { useCallback, useMemo } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import type { InstallFormModel } from './editing/use-install-form'
import { questionOf } from './editing/use-install-form'
import { CommandPreview } from './preview/command-preview'
import { knownProblems, placesOf } from './values/field-places'
import type { FormView } from './values/form-view'

/** The preview beside a form, with the lines of the focused field and of those with problems marked. */
export function LivePreview(props: {
  readonly desk: InstallFormModel
  readonly view: FormView
  readonly secretsInMemory: boolean
}): ReactElement {
  const { desk, view, secretsInMemory } = props
  const { form, board, channel, fields } = desk
  const { control, getValues } = form
  const { preview, isAnswered, problem } = useStore(board.state)
  const focused = useStore(view, (state) => state.place)
  const { errors } = useFormState({ control })
  const kind = useWatch({ control, name: 'hand.kind' })
  const bad = useMemo(
    () =>
      knownProblems(errors, placesOf(getValues(), fields)).flatMap(({ spot }) =>
        spot ? [spot] : [],
      ),
    [errors, fields, getValues],
  )
  const live =
    focused === null
      ? undefined
      : placesOf(getValues(), fields).find(({ path }) => path === focused)?.spot
  const writeFor = useCallback(
    (shell: ShellKind): Promise<ShellText> => channel.write(questionOf(fields, getValues()), shell),
    [channel, fields, getValues],
  )
  if (isAnswered && preview === null)
    return (
      <aside className="aside subtle col" aria-label="Command preview">
        <p className="pad-5 faint">
          Enter the {kind} to preview what Patchbay will {kind === 'command' ? 'run' : 'send'}.
        </p>
      </aside>
    )
  return (
    <CommandPreview
      preview={preview}
      problem={problem}
      secretsInMemory={secretsInMemory}
      live={live ?? null}
      bad={bad}
      writeFor={writeFor}
    />
  )
}
