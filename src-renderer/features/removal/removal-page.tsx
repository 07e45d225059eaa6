import { Trash2 } from 'lucide-react'
import { type JSX, useId, useRef, useState } from 'react'

import type { RemovalList } from '../../../src-shared/domain/state/removal'
import { Loading } from '../../components/status/loading'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { Field, TextInput } from '../../ui/fields/field'
import { Page } from '../../ui/layout/page'
import { ConfirmDialog } from '../../ui/overlays/dialog'
import { consequenceText, removalGroups, RemovalItems } from './removal-items'
import { removeEverything } from './removal-store'

const CONFIRMATION = 'remove'

function ConfirmRemoval(props: {
  readonly list: RemovalList
  readonly onClose: () => void
}): JSX.Element {
  const { list, onClose } = props
  const [typed, setTyped] = useState('')
  const [isMissed, setIsMissed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  function confirm(): 'stays' {
    if (typed.trim().toLowerCase() === CONFIRMATION) void removeEverything()
    else {
      setIsMissed(true)
      input.current?.focus()
    }
    return 'stays'
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove everything?"
      description={consequenceText(list)}
      confirmLabel="Remove everything"
      onConfirm={confirm}
    >
      <div className="mt-4">
        <Field
          id={id}
          label={`Type “${CONFIRMATION}” to confirm`}
          problem={isMissed ? `Type “${CONFIRMATION}” here.` : undefined}
        >
          {(ids) => (
            <TextInput
              {...ids}
              inputRef={input}
              value={typed}
              onValueChange={(value) => {
                setTyped(value)
                setIsMissed(false)
              }}
              onKeyDown={(event) => event.key === 'Enter' && confirm()}
            />
          )}
        </Field>
      </div>
    </ConfirmDialog>
  )
}

/** Everything that Patchbay created on this computer, and the button that removes it. */
export function RemovalPage(): JSX.Element {
  const request = useRequest('removal.read', {})
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <Page title="Remove everything" crumbs={[{ label: 'Settings', href: '/settings' }]}>
      <div className="flex max-w-text flex-col gap-6">
        <p className="text-muted">
          Patchbay added these items to this computer. Review the list, then confirm the removal.
        </p>
        <Loading request={request} label="Finding items to remove" failure="Can’t load the list">
          {(list) => (
            <>
              {removalGroups(list).map((group) => (
                <RemovalItems key={group.title} {...group} />
              ))}
              <RemovalItems title="Not removed" items={list.stays} />
              <div className="flex flex-wrap gap-2">
                <Button variant="danger" icon={Trash2} onClick={() => setIsConfirming(true)}>
                  Remove everything
                </Button>
              </div>
              {isConfirming && (
                <ConfirmRemoval list={list} onClose={() => setIsConfirming(false)} />
              )}
            </>
          )}
        </Loading>
      </div>
    </Page>
  )
}
