import type { JSX } from 'react'

import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { PageFoot } from '../../../ui/layout/page-foot'
import type { Editing } from './use-profile-draft'

/** What saving means, why it was refused, and the two ways on. */
export function SaveFoot({ editing }: { readonly editing: Editing }): JSX.Element {
  const { isDirty, isBusy, refusal, profile, undo, save } = editing
  const isBarred = !isDirty || profile === undefined
  return (
    <PageFoot label="Save" refusal={refusal && <Banner severity="error">{refusal}</Banner>}>
      <p className="grow soft pretty" role="status">
        {isDirty
          ? 'The list shows what the agent gets once this is saved.'
          : 'The agent is told of changes at once, also while it is connected.'}
      </p>
      <Button size="form" aria-disabled={!isDirty || undefined} onClick={() => isDirty && undo()}>
        Undo
      </Button>
      <Button
        size="form"
        variant="primary"
        busy={isBusy}
        aria-disabled={isBarred || undefined}
        aria-keyshortcuts="Control+Enter"
        onClick={() => !isBarred && save()}
      >
        Save
      </Button>
    </PageFoot>
  )
}
