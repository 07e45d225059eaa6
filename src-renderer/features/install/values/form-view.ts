import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'

import { focusControl } from './field-places'

/** What of a form is in sight. */
type FormViewState = {
  /** The path of what has the focus. */
  readonly place: string | null
  readonly isAdvancedOpen: boolean
  /** The search among the fields. */
  readonly query: string
}

/** The view of one form, apart from its values, so that typing draws nothing but the field. */
export type FormView = StoreApi<FormViewState>

/** A form as it opens. */
export function createFormView(): FormView {
  return createStore<FormViewState>(() => ({ place: null, isAdvancedOpen: false, query: '' }))
}

/** Brings a control into view and gives it the focus, wherever it is folded away. */
export function reveal(view: FormView, elementId: string): void {
  const found = document.getElementById(elementId) ?? document.getElementById(`${elementId}-0`)
  if (!found?.checkVisibility()) view.setState({ isAdvancedOpen: true, query: '' })
  // After the next drawing, when it is there and its problem stands at it.
  requestAnimationFrame(() => focusControl(elementId))
}
