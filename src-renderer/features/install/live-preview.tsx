import type { ReactElement } from 'react'
import { useCallback, useMemo } from 'react'
import { useFormState } from 'react-hook-form'
import { useStore } from 'zustand'

import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import type { FormField } from '../../../src-shared/form/form-field'
import { call } from '../../ipc/call'
import type { CommandBoard, InstallFormApi, PreviewSubject } from './editing/use-install-form'
import { questionOf } from './editing/use-install-form'
import { CommandPreview } from './preview/command-preview'
import { knownProblems, spotOf } from './values/field-places'
import type { FormView } from './values/form-view'

/** The preview beside a form, with the lines of the focused field and of those with problems marked. */
export function LivePreview(props: {
  readonly of: PreviewSubject
  readonly form: InstallFormApi
  readonly board: CommandBoard
  readonly view: FormView
  /** In the order of the page. */
  readonly fields: readonly FormField[]
  readonly secretsInMemory: boolean
}): ReactElement {
  const { of, form, board, view, fields, secretsInMemory } = props
  const { control, getValues } = form
  const { preview, problem } = useStore(board.state)
  const place = useStore(view, (state) => state.place)
  const { errors } = useFormState({ control })
  const bad = useMemo(
    () =>
      knownProblems(errors, fields, getValues('values')).flatMap(({ spot }) =>
        spot ? [spot] : [],
      ),
    [errors, fields, getValues],
  )
  const live = place && spotOf(getValues('values'), place.fieldKey, place.entry)
  const writeFor = useCallback(
    (shell: ShellKind): Promise<ShellText> =>
      call('launch.shellText', { of, ...questionOf(fields, getValues()), shell }),
    [of, fields, getValues],
  )
  return (
    <CommandPreview
      preview={preview}
      problem={problem}
      secretsInMemory={secretsInMemory}
      live={live}
      bad={bad}
      writeFor={writeFor}
    />
  )
}
