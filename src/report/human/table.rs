//! Plain tables: a header, columns two spaces apart; or the same as Markdown.

use comfy_table::{CellAlignment, Table as Grid, TableStyle};

use super::style::{DIM, paint};

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table being filled.
pub(super) struct Table {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a header.
    pub(super) fn new(columns: &[(&str, Side)]) -> Self {
        let columns = columns.iter().map(|(name, side)| ((*name).to_owned(), *side)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The lines of the table, indented.
    pub(super) fn print(self, indent: usize, out: &mut String) {
        let mut grid = Grid::new();
        grid.load_style(TableStyle::new());
        grid.set_header(self.columns.iter().map(|(name, _)| name));
        for row in self.rows {
            grid.add_row(row);
        }
        for (at, (_, side)) in self.columns.iter().enumerate() {
            let Some(column) = grid.column_mut(at) else { continue };
            column.set_padding((0, 2));
            column.set_cell_alignment(match side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
        }
        for (at, line) in grid.lines().enumerate() {
            let line = line.trim_end();
            let line = if at == 0 { paint(DIM, line) } else { line.to_owned() };
            out.push_str(&format!("{:indent$}{line}\n", ""));
        }
    }

    /// The table as Markdown.
    pub(super) fn markdown(self, out: &mut String) {
        let mut line = |cells: Vec<String>| out.push_str(&format!("| {} |\n", cells.join(" | ")));
        line(self.columns.iter().map(|(name, _)| name.clone()).collect());
        let rule = |side: &Side| if *side == Side::Left { "---" } else { "---:" };
        line(self.columns.iter().map(|(_, side)| rule(side).to_owned()).collect());
        for row in self.rows {
            line(row.iter().map(|cell| cell.replace('|', "\\|")).collect());
        }
    }
}
