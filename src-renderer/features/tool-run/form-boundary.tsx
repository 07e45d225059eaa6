import type { ReactNode } from 'react'
import { Component } from 'react'

import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'

type Props = { readonly children: ReactNode; readonly onJson: () => void }

/** Stands in for a form that cannot be drawn: the arguments can be written as JSON. */
export class FormBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <BlankState
        art="cut"
        title="Can’t show this form"
        message="The tool’s schema isn’t supported. Edit the arguments as JSON instead."
        action={<Button onClick={this.props.onJson}>Edit as JSON</Button>}
      />
    )
  }
}
