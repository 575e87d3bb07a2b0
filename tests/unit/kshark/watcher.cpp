// SPDX-License-Identifier: LGPL-2.1
/*
 * watcher.cpp - a KernelShark plugin that acts like a user, and writes down what KernelShark shows
 *
 * Usage: WATCHER_DIR=dir kernelshark -p /abs/watcher.so trace.dat. The plugin writes these files to that
 * directory, and then closes the window:
 *
 *   forward     the cells of each row, from the first to the last
 *   again       the cells of each row again, after scrolling back and forth
 *   found       for each line of the file "search": the row that a search in Info finds, and the number of
 *               rows found
 *   markers     for each spot of a colour in the plots: the colour, and the markers A and B after a
 *               double-click on the spot
 *   heights     like markers, with the vertical position of the spot in front
 *   list        the packets in the list under "Tools", one on each line; and the markers after a double-click
 *               on the packet with the number in the file "packet"
 *   early       the state of the list before trace-cmd report-skb has printed anything: its title, its title
 *               after the text in the file "typed" was typed, and the flows that are shown. The plugin writes
 *               this file only if the file "go" is missing, and then creates "go".
 *   typed.title the title of the list after the text in the file "typed" was typed
 *   raised      like heights, after the double-click on the packet, with all times visible
 *   places      the positions of markers A and B after the double-click on the packet, in hundredths of the
 *               time axis
 *   window.png, list.png, zoomed.png
 *               pictures of the window, of the list, and of the window after the double-click on the packet
 *
 * If the file "awaited" exists, the plugin waits for the file "requests" before it writes "raised". If the
 * file "zoom" has two times, the plots show the time between them.
 */
#include <random>

#include <QtWidgets>

#include <libkshark.h>
#include <libkshark-plugin.h>

static QMainWindow *window;

static QString path(const char *name)
{
	return qEnvironmentVariable("WATCHER_DIR") + "/" + name;
}

static void save(const char *name, const QStringList &lines)
{
	QFile file(path(name));

	if (file.open(QIODevice::WriteOnly))
		file.write((lines.join('\n') + '\n').toUtf8());
}

/* Wait, and process the program's events in the meantime. */
static void wait(int ms)
{
	QElapsedTimer timer;

	for (timer.start(); timer.elapsed() < ms;)
		QCoreApplication::processEvents(QEventLoop::AllEvents, ms);
}

static QTableView *table()
{
	return window->findChild<QTableView *>();
}

static QString row(int n)
{
	QAbstractItemModel *model = table()->model();
	QStringList cells;

	for (int i = 0; i < model->columnCount(); i++)
		cells << model->index(n, i).data().toString();
	return cells.join('|');
}

static QStringList allRows()
{
	QStringList rows;

	for (int i = 0; i < table()->model()->rowCount(); i++)
		rows << row(i);
	return rows;
}

static void scroll()
{
	std::mt19937 random(1);

	for (int i = 0; i < 100; i++) {
		int n = random() % table()->model()->rowCount();

		table()->scrollTo(table()->model()->index(n, 0), QAbstractItemView::PositionAtTop);
		wait(1);
	}
	table()->scrollToTop();
}

static void choose(const char *choice)
{
	for (QComboBox *box : window->findChildren<QComboBox *>()) {
		if (box->findText(choice) >= 0)
			box->setCurrentIndex(box->findText(choice));
	}
}

/* Return: the text beside the search field, such as "1 / 746". */
static QString howMany()
{
	for (QLabel *label : window->findChildren<QLabel *>()) {
		if (label->text().contains(" / "))
			return label->text().section('/', 1).trimmed();
	}
	return "none";
}

static QStringList lines(const char *name)
{
	QFile file(path(name));

	if (!file.open(QIODevice::ReadOnly))
		return QStringList();
	return QString(file.readAll()).split('\n');
}

static QStringList search()
{
	QStringList found;

	choose("Info");
	choose("contains");
	for (const QString &word : lines("search")) {
		if (word.isEmpty())
			continue;
		table()->clearSelection();
		for (QLineEdit *line : window->findChildren<QLineEdit *>()) {
			line->setText(word);
			line->textEdited(word);
			QMetaObject::invokeMethod(line, "returnPressed");
		}
		wait(300);
		for (const QModelIndex &index : table()->selectionModel()->selectedRows())
			found << word + "|" + howMany() + "|" + row(index.row());
	}
	return found;
}

static QWidget *plots()
{
	for (QWidget *widget : window->findChildren<QWidget *>()) {
		if (widget->inherits("KsGLWidget"))
			return widget;
	}
	return nullptr;
}

static void mouse(QEvent::Type type, int x, int y)
{
	Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
	QMouseEvent event(type, QPointF(x, y), plots()->mapToGlobal(QPoint(x, y)), Qt::LeftButton,
			  held, Qt::NoModifier);

	QCoreApplication::sendEvent(plots(), &event);
}

/* Find the time axis, which is the longest black line. */
static bool findAxis(const QImage &image, int *from, int *to)
{
	*from = *to = 0;
	for (int y = 0; y < image.height() / 2; y++) {
		for (int x = 0, begin = 0; x < image.width(); x++) {
			if (image.pixelColor(x, y).lightness() > 100)
				begin = x + 1;
			else if (x - begin > *to - *from)
				*from = begin, *to = x;
		}
	}
	return *to - *from > image.width() / 2;
}

/*
 * Drag the mouse from one time in the file "zoom" to the other one, which zooms to these times. Do this in
 * several steps, because one step would not be exact enough.
 */
static void zoom()
{
	double from = table()->model()->index(0, 2).data().toDouble();
	double to = table()->model()->index(table()->model()->rowCount() - 1, 2).data().toDouble();
	QStringList wanted = lines("zoom").join(' ').split(' ');
	int left, right;

	if (wanted.size() < 2 || !findAxis(plots()->grab().toImage(), &left, &right))
		return;
	for (int i = 0; i < 4; i++) {
		double width = right - left, share = (to - from) / width;
		double room = i < 3 ? (to - from) / 20 : 0;
		double x1 = left + (wanted[0].toDouble() - room - from) / share;
		double x2 = left + (wanted[1].toDouble() + room - from) / share;

		x1 = int(std::max<double>(left, x1));
		x2 = int(std::min<double>(right, x2));
		mouse(QEvent::MouseButtonPress, x1, 50);
		mouse(QEvent::MouseMove, x2, 50);
		mouse(QEvent::MouseButtonRelease, x2, 50);
		wait(200);
		to = from + (x2 - left) * share;
		from += (x1 - left) * share;
	}
}

/* Return: the times of the markers A and B, from the labels beside their buttons. */
static QString markers()
{
	QStringList times;

	for (QLabel *label : window->findChildren<QLabel *>()) {
		if (label->text().contains(QRegularExpression("^[0-9]+[.][0-9]{3} [0-9]{3}$")))
			times << label->text().remove(' ');
	}
	return times.join(' ');
}

/*
 * Double-click on each coloured spot in the plots. Return a text for each spot: its vertical position, its
 * colour, and the times of the markers after the double-click.
 */
static QStringList doubleClicks()
{
	const QImage image = plots()->grab().toImage();
	QStringList all;

	for (int y = 0; y < image.height(); y += 6) {
		for (int x = 0, same = 0; x < image.width(); x++) {
			same = x && image.pixel(x, y) == image.pixel(x - 1, y) ? same + 1 : 0;
			if (same != 1 || image.pixelColor(x, y).saturation() < 50)
				continue;
			mouse(QEvent::MouseButtonDblClick, x, y);
			all << QString::number(y) + ' ' + image.pixelColor(x, y).name() + ' ' +
					markers();
		}
	}
	return all;
}

/* Find a marker, which KernelShark draws as a vertical line over the whole height. */
static int markedColumn(const QImage &image, QColor colour)
{
	int best = 0, most = 0;

	for (int x = 0; x < image.width(); x++) {
		int n = 0;

		for (int y = 0; y < image.height(); y++)
			n += image.pixelColor(x, y) == colour;
		if (n > most)
			best = x, most = n;
	}
	return best;
}

static QString places()
{
	const QImage image = plots()->grab().toImage();
	int left, right;

	if (!findAxis(image, &left, &right))
		return QString();
	return QString("%1 %2")
		.arg((markedColumn(image, Qt::darkGreen) - left) * 100 / (right - left))
		.arg((markedColumn(image, Qt::darkCyan) - left) * 100 / (right - left));
}

/* Type into the part of the window that has the focus. */
static void type(QWidget *window, const QString &text)
{
	for (const QChar &c : text) {
		QKeyEvent key(QEvent::KeyPress, 0, Qt::NoModifier, QString(c));

		QCoreApplication::sendEvent(window->focusWidget(), &key);
	}
	wait(300);
}

static void escape(QWidget *window)
{
	QKeyEvent key(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);

	QCoreApplication::sendEvent(window->focusWidget(), &key);
	wait(300);
}

/*
 * Save the state of the list before it has verdicts. The program that prints the verdicts waits for the file
 * "go".
 */
static void saveEarly(QDialog *dialog, QTableView *view)
{
	QStringList early(dialog->windowTitle());

	if (QFile::exists(path("go")))
		return;
	type(dialog, lines("typed").value(0));
	early << dialog->windowTitle();
	for (int i = 0; i < view->model()->rowCount(); i++)
		early << view->model()->index(i, 2).data().toString() +
				 view->model()->index(i, 5).data().toString();
	save("early", early);
	escape(dialog);
	save("go", QStringList());
}

static void zoomOut()
{
	for (QPushButton *button : window->findChildren<QPushButton *>()) {
		if (button->text() == "- -")
			button->click();
	}
	wait(500);
}

static QStringList list()
{
	QStringList all;
	QDialog *dialog;
	QTableView *view;

	for (QAction *action : window->findChildren<QAction *>()) {
		if (action->text() == "Packets")
			action->trigger();
	}
	wait(200);
	dialog = window->findChild<QDialog *>("recordSkbPackets");
	view = dialog ? dialog->findChild<QTableView *>() : nullptr;
	if (view)
		saveEarly(dialog, view);
	/* Wait for the verdicts, because another program computes them. */
	for (int i = 0; view && i < 100; i++) {
		if (!view->model()->index(view->model()->rowCount() - 1, 5).data().isNull())
			break;
		wait(100);
	}
	for (int i = 0; view && i < view->model()->rowCount(); i++) {
		QStringList cells;

		for (int c = 0; c < view->model()->columnCount(); c++)
			cells << view->model()->index(i, c).data().toString();
		all << cells.join('|');
	}
	if (view) {
		type(dialog, lines("typed").value(0));
		save("typed.title", QStringList(dialog->windowTitle()));
		escape(dialog);
	}
	for (int i = 0; view && i < view->model()->rowCount(); i++) {
		if (view->model()->index(i, 0).data().toString() != lines("packet").value(0))
			continue;
		view->doubleClicked(view->model()->index(i, 0));
		wait(100);
		all << markers();
		dialog->grab().save(path("list.png"));
		save("places", QStringList(places()));
		dialog->close();
	}
	return all;
}

static void look()
{
	QStringList clicks;

	window->resize(1400, 660);
	wait(200);
	save("forward", allRows());
	scroll();
	save("again", allRows());
	save("found", search());
	zoom();
	wait(1000);
	window->grab().save(path("window.png"), "PNG", 0);
	clicks = doubleClicks();
	save("heights", clicks);
	for (QString &click : clicks)
		click = click.section(' ', 1);
	save("markers", clicks);
	save("list", list());
	window->grab().save(path("zoomed.png"), "PNG", 0);
	zoomOut();
	for (int i = 0;
	     i < 300 && QFile::exists(path("awaited")) && !QFile::exists(path("requests")); i++)
		wait(100);
	wait(500);
	window->grab().save(path("raised.png"), "PNG", 0);
	save("raised", doubleClicks());
	window->close();
	/*
	 * On a busy machine, Qt sometimes does not notice that its last window was closed, so quit after two
	 * seconds. Use the name of the slot and no code of this plugin, which may be unloaded by then.
	 */
	QTimer::singleShot(2000, qApp, SLOT(quit()));
}

/*
 * Return: true while KernelShark shows "work in progress". During that time, KernelShark processes events, so
 * it may call this plugin again.
 */
static bool inProgress()
{
	for (QLabel *label : window->findChildren<QLabel *>()) {
		if (label->isVisible() && label->text().contains("work in progress"))
			return true;
	}
	return false;
}

/*
 * A thread of KernelShark loads the file. Wait until it has finished: the number of rows then stays the
 * same.
 */
static void waitForRows()
{
	static int before;
	int now = table() && table()->model() ? table()->model()->rowCount() : 0;

	if (now && now == before && window->isVisible() && !inProgress()) {
		look();
		return;
	}
	before = now;
	QTimer::singleShot(500, waitForRows);
}

extern "C" __attribute__((visibility("default"))) void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui)
{
	window = static_cast<QMainWindow *>(gui);
	QTimer::singleShot(500, waitForRows);
	return nullptr;
}
