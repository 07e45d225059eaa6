// What Chrome 108 lacks, in the page and its threads; runs before their first line.
import 'core-js/actual'

// There a page holds on to itself by `returnValue` alone.
if (globalThis.BeforeUnloadEvent) {
  BeforeUnloadEvent.prototype.preventDefault = function () {
    Event.prototype.preventDefault.call(this)
    this.returnValue = 'unsaved'
  }
}

// There is no anchor, by which notices keep their distance from the bottom.
if (globalThis.document) {
  document.addEventListener('DOMContentLoaded', () => {
    const style = new CSSStyleSheet()
    style.replaceSync('.toasts { bottom: 16px; right: 16px; top: auto; left: auto }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
  })
}
