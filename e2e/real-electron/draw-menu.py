"""draw-menu.py BUS_NAME PATH: opens the menu that an app offers to the tray, as a desktop draws it, until this process ends."""
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("DbusmenuGtk3", "0.4")
from gi.repository import DbusmenuGtk3, GLib, Gtk  # noqa: E402

name, path = sys.argv[1:3]
menu = DbusmenuGtk3.Menu(dbus_name=name, dbus_object=path)
bar = Gtk.MenuBar()
item = Gtk.MenuItem(label="Patchbay", submenu=menu)
bar.append(item)
window = Gtk.Window(title="Tray", type_hint="dock")
window.add(bar)
window.show_all()
window.move(600, 0)


def unfold():
    bar.select_item(item)
    return GLib.SOURCE_REMOVE


# The items come over the bus.
GLib.timeout_add(500, unfold)
Gtk.main()
