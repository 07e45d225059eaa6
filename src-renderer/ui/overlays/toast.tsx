import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import type { JSX } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { Button, IconButton } from '../controls/button'
import { StatusGlyph } from '../marks/status-glyph'

/** A message without a place of its own; `tone` selects the glyph, and an error stays until it is closed. */
export type ToastMessage = {
  readonly message: string
  readonly tone?: 'ready' | 'error'
  readonly action?: { readonly label: string; readonly onAct: () => void }
}
type ShownToast = ToastMessage & { readonly toastId: string }

const MOST = 3
const NONE: readonly ShownToast[] = []
const SHOWN_MS = 6_000
/** Longer for a toast with an action, which must be reached first. */
const SHOWN_WITH_ACTION_MS = 12_000
const toastStore = createStore<{
  readonly toasts: readonly ShownToast[]
  readonly holds: number
}>(() => ({ toasts: [], holds: 0 }))

/** Shows a message at the lower edge of the window; a fourth one replaces the oldest. */
export function showToast(toast: ToastMessage): void {
  const shown = { ...toast, toastId: crypto.randomUUID() }
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts, shown].slice(-MOST) }))
}

/** Hides toasts until the returned function is called, so that they do not cover what the user decides on. */
export function holdToasts(): () => void {
  const add = (count: number): void =>
    toastStore.setState(({ holds }) => ({ holds: holds + count }))
  add(1)
  return () => add(-1)
}

function hide(toastId: string): void {
  toastStore.setState(({ toasts }) => ({
    toasts: toasts.filter((toast) => toast.toastId !== toastId),
  }))
}

function ToastCard({ toast }: { readonly toast: ShownToast }): JSX.Element {
  const { toastId, message, tone = 'ready', action } = toast
  return (
    <Radix.Root
      className="toast float flex min-w-0 items-center gap-2 wrap-anywhere"
      type={tone === 'error' ? 'foreground' : 'background'}
      duration={tone === 'error' ? Infinity : action ? SHOWN_WITH_ACTION_MS : SHOWN_MS}
      onOpenChange={(open) => !open && hide(toastId)}
    >
      <StatusGlyph status={tone} />
      <Radix.Description asChild>
        <p className="line-clamp-5 min-w-0 flex-1 text-pretty">{message}</p>
      </Radix.Description>
      {action && (
        <Radix.Action asChild altText={action.label}>
          <Button variant="quiet" size="small" onClick={action.onAct}>
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton small icon={X} label="Dismiss notification" />
      </Radix.Close>
    </Radix.Root>
  )
}

/** Container of toasts; mounted once in the app. */
export function Toaster(): JSX.Element {
  const toasts = useStore(toastStore, (state) => (state.holds > 0 ? NONE : state.toasts))
  return (
    <Radix.Provider label="Message">
      {toasts.map((toast) => (
        <ToastCard key={toast.toastId} toast={toast} />
      ))}
      <Radix.Viewport className="toasts flex flex-col gap-2" label="Messages ({hotkey})" />
    </Radix.Provider>
  )
}
