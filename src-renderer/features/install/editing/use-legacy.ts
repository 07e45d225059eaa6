import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { RequestOutput } from '../../../../src-shared/ipc/contract/contract'
import { call, toErrorShape } from '../../../ipc/call'
import type { EntrySubject } from './install-subject'
import type { InstallFormApi } from './use-install-form'

/** What was read of an older configuration. */
export type LegacyAnswer = RequestOutput<'installation.readLegacy'>

/** The two uses of an older configuration. */
export type LegacyUse = 'fill' | 'add'

type LegacyState = {
  readonly text: string
  readonly answer: LegacyAnswer | null
  readonly problem: AppErrorShape | null
  readonly busy: LegacyUse | null
}

/** Reads a pasted older configuration, and fills the form with it or adds the server as it is. */
export function useLegacy(options: {
  readonly subject: EntrySubject
  readonly form: InstallFormApi
  readonly onClose: () => void
  /** Called before the page is left. */
  readonly onLeave: () => void
}): LegacyState & {
  readonly change: (text: string) => void
  readonly use: (use: LegacyUse) => void
} {
  const { subject, form, onClose, onLeave } = options
  const { of } = subject
  const [state, setState] = useState<LegacyState>({
    text: '',
    answer: null,
    problem: null,
    busy: null,
  })
  const [, navigate] = useLocation()

  function fill({ values, unknown }: LegacyAnswer): void {
    for (const [key, value] of Object.entries(values))
      form.setValue(`values.${key}`, value, { shouldDirty: true })
    // With names set aside the dialog stays, so that they are read.
    if (unknown.length === 0) onClose()
  }
  async function add({ values }: LegacyAnswer): Promise<void> {
    if (!('entryId' in of)) return
    const { name } = form.getValues()
    const { installationId } = await call('installation.create', {
      ...of,
      name,
      values,
      start: true,
      asItIs: true,
    })
    onLeave()
    navigate(`/servers/${installationId}`)
  }
  async function work(use: LegacyUse): Promise<void> {
    const { text } = state
    setState({ text, answer: null, problem: null, busy: use })
    try {
      const answer = await call('installation.readLegacy', { of, text })
      setState({ text, answer, problem: null, busy: null })
      if (use === 'fill') fill(answer)
      else await add(answer)
    } catch (thrown) {
      setState({ text, answer: null, problem: toErrorShape(thrown), busy: null })
    }
  }
  return {
    ...state,
    change: (text) => setState({ text, answer: null, problem: null, busy: null }),
    use: (use) => void work(use),
  }
}
