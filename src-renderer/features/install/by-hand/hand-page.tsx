import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { HandDraft, OpenedHand } from '../../../../src-shared/domain/installation/by-hand'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { useRequest } from '../../../ipc/use-request'
import { LoadedPage } from '../editing/loaded-page'
import { useTakenNames } from '../editing/use-install-form'
import { uniqueName } from '../values/install-values'
import { HandEditor } from './hand-editor'
import { blankForm, formOf, withoutSaved } from './hand-form'

const TITLE = 'Add a server by hand'
const CRUMBS = [{ label: 'Catalog', href: '/catalog' }]

function Copy({ draft }: { readonly draft: HandDraft }): ReactElement {
  const taken = useTakenNames()
  // Made once: the proposed name stays while other servers come and go.
  const [initial] = useState(() => ({
    ...withoutSaved(formOf(draft)),
    name: uniqueName(draft.name, taken),
  }))
  return <HandEditor initial={initial} title={TITLE} crumbs={CRUMBS} />
}

function CopyOf({ installationId }: { readonly installationId: string }): ReactNode {
  const request = useRequest('byHand.read', { installationId })
  return (
    <LoadedPage request={request} title={TITLE} crumbs={CRUMBS}>
      {(draft) => <Copy draft={draft} />}
    </LoadedPage>
  )
}

function Blank(): ReactElement {
  const [initial] = useState(blankForm)
  return <HandEditor initial={initial} title={TITLE} crumbs={CRUMBS} />
}

/** The editor for a new server; `likeId` names one that was made by hand too, whose parts it starts with. */
export function HandPage({ likeId }: { readonly likeId: string | undefined }): ReactNode {
  return likeId === undefined ? <Blank /> : <CopyOf key={likeId} installationId={likeId} />
}

function Editing(props: {
  readonly installation: Installation
  readonly draft: OpenedHand
  readonly fieldKey: string | undefined
}): ReactElement {
  const { installation, draft, fieldKey } = props
  const { installationId, name, approvedPlan } = installation
  const [initial] = useState(() => formOf(draft))
  return (
    <HandEditor
      initial={initial}
      installationId={installationId}
      revision={draft.revision}
      approvedPlan={approvedPlan}
      title={`Configure ${name}`}
      crumbs={[
        { label: 'Servers', href: '/servers' },
        { label: name, href: `/servers/${installationId}` },
      ]}
      fieldKey={fieldKey}
    />
  )
}

/** The editor of a server that was made by hand. */
export function ConfigureHand(props: {
  readonly installation: Installation
  readonly fieldKey: string | undefined
}): ReactNode {
  const { installation, fieldKey } = props
  const { installationId, name } = installation
  const request = useRequest('byHand.read', { installationId })
  return (
    <LoadedPage
      request={request}
      title={`Configure ${name}`}
      crumbs={[{ label: 'Servers', href: '/servers' }]}
    >
      {(draft) => <Editing installation={installation} draft={draft} fieldKey={fieldKey} />}
    </LoadedPage>
  )
}
