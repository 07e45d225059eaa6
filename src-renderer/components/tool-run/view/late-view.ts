import { lazyPart } from '../../../ui/layout/lazy-part'

/** The view of a run's tool. Its code comes when it is first opened. */
export const LateView = lazyPart(async () => {
  const { ToolView } = await import('./tool-view')
  return ToolView
})
