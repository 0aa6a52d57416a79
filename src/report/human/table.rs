//! Plain tables: a header, columns two spaces apart.

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
    grid: Grid,
    sides: Vec<Side>,
}

impl Table {
    /// A table with a header.
    pub(super) fn new(columns: &[(&str, Side)]) -> Self {
        let mut grid = Grid::new();
        grid.load_style(TableStyle::new());
        grid.set_header(columns.iter().map(|(name, _)| *name));
        Self { grid, sides: columns.iter().map(|(_, side)| *side).collect() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.grid.add_row(cells);
    }

    /// The lines of the table, indented.
    pub(super) fn print(mut self, indent: usize, out: &mut String) {
        for (at, side) in self.sides.iter().enumerate() {
            let Some(column) = self.grid.column_mut(at) else { continue };
            column.set_padding((0, 2));
            column.set_cell_alignment(match side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
        }
        for (at, line) in self.grid.lines().enumerate() {
            let line = line.trim_end();
            let line = if at == 0 { paint(DIM, line) } else { line.to_owned() };
            out.push_str(&format!("{:indent$}{line}\n", ""));
        }
    }
}
