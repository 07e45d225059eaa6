// Features that Chrome 108 lacks, in the page and its workers; runs before their first line.
import 'core-js/actual'

// There, only `returnValue` prevents leaving a page.
if (globalThis.BeforeUnloadEvent) {
  BeforeUnloadEvent.prototype.preventDefault = function () {
    Event.prototype.preventDefault.call(this)
    this.returnValue = 'unsaved'
  }
}

// There is no anchor positioning, which keeps notifications off the bottom.
if (globalThis.document) {
  document.addEventListener('DOMContentLoaded', () => {
    const style = new CSSStyleSheet()
    style.replaceSync('.toasts { bottom: 16px; right: 16px; top: auto; left: auto }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
  })
}
