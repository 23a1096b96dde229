//! The tables of a results file, and how headings and points are written into them and read back.

use retrylab_model::wording::quotation;
use rusqlite::{Connection, Result, Row, params};

use crate::results::{AxisHeading, Heading, PointResult, StoredEstimate};
use crate::shard::Shard;

/// Tells results of sweeps from other SQLite files: "rtry" in ASCII.
pub(crate) const APPLICATION_ID: i32 = 0x7274_7279;

/// Everything is in the order of its keys, so that the same contents make the same file.
const TABLES: &str = "
CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE axes (axis INTEGER PRIMARY KEY, name TEXT NOT NULL, logarithmic INTEGER NOT NULL);
CREATE TABLE settings (
    axis INTEGER NOT NULL, position INTEGER NOT NULL, part INTEGER NOT NULL,
    key TEXT NOT NULL, value TEXT NOT NULL, number REAL,
    PRIMARY KEY (axis, position, part)
) WITHOUT ROWID;
CREATE TABLE points (
    point INTEGER PRIMARY KEY, replications INTEGER NOT NULL, looks INTEGER NOT NULL,
    attempts INTEGER NOT NULL, is_precise INTEGER NOT NULL
);
CREATE TABLE estimates (
    point INTEGER NOT NULL, part INTEGER NOT NULL, measure TEXT NOT NULL, dimension TEXT NOT NULL,
    estimate REAL, low REAL, high REAL, note TEXT,
    PRIMARY KEY (point, part)
) WITHOUT ROWID;
";

/// Makes the tables of a new file and writes the heading.
pub(crate) fn create(connection: &Connection, heading: &Heading, is_finished: bool) -> Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.execute_batch(TABLES)?;
    connection.execute_batch(&view(heading))?;
    let measures = heading
        .measures
        .as_ref()
        .map_or_else(String::new, |measures| measures.join(" "));
    let rows: [(&str, String); 11] = [
        ("checksum", heading.checksum.clone()),
        ("confidence", heading.confidence.to_string()),
        ("effort", heading.effort.clone()),
        ("finished", i32::from(is_finished).to_string()),
        ("measures", measures),
        ("name", heading.name.clone()),
        ("points", heading.points.to_string()),
        ("program", heading.program.clone()),
        ("seed", heading.seed.to_string()),
        ("shard", heading.shard.to_string()),
        ("time_unit", heading.time_unit.clone()),
    ];
    for (name, value) in rows {
        connection.execute("INSERT INTO sweep VALUES (?1, ?2)", params![name, value])?;
    }
    for (index, axis) in heading.axes.iter().enumerate() {
        connection.execute(
            "INSERT INTO axes VALUES (?1, ?2, ?3)",
            params![index as i64, axis.name, axis.logarithmic],
        )?;
        for (position, values) in axis.positions.iter().enumerate() {
            for (part, ((label, number), key)) in values.iter().zip(&axis.keys).enumerate() {
                connection.execute(
                    "INSERT INTO settings VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![index as i64, position as i64, part as i64, key, label, number],
                )?;
            }
        }
    }
    Ok(())
}

/// A view with everything side by side, a column for each key, for whoever asks in SQL.
fn view(heading: &Heading) -> String {
    let mut columns = String::new();
    let mut joins = String::new();
    let mut stride: usize = heading.axes.iter().map(|axis| axis.positions.len()).product();
    for (axis, described) in heading.axes.iter().enumerate() {
        let size = described.positions.len();
        stride /= size;
        for (part, key) in described.keys.iter().enumerate() {
            let table = format!("s{axis}_{part}");
            columns.push_str(&format!("coalesce({table}.number, {table}.value) AS \"{key}\", "));
            joins.push_str(&format!(
                " JOIN settings {table} ON {table}.axis = {axis} AND {table}.part = {part} \
                 AND {table}.position = (p.point / {stride}) % {size}"
            ));
        }
    }
    format!(
        "CREATE VIEW results AS SELECT p.point, {columns}e.measure, e.estimate, e.low, e.high, p.replications, e.note \
         FROM points p JOIN estimates e ON e.point = p.point{joins};"
    )
}

/// Writes a point.
pub(crate) fn insert(connection: &Connection, result: &PointResult) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO points VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            result.point as i64,
            result.replications as i64,
            result.looks,
            result.attempts as i64,
            result.is_precise
        ])?;
    let mut statement =
        connection.prepare_cached("INSERT INTO estimates VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for (part, one) in result.estimates.iter().enumerate() {
        statement.execute(params![
            result.point as i64,
            part as i64,
            one.measure,
            one.dimension,
            one.estimate,
            one.low,
            one.high,
            one.note
        ])?;
    }
    Ok(())
}

/// A row of the table `sweep`.
pub(crate) fn property(connection: &Connection, name: &str) -> Result<String> {
    connection.query_row("SELECT value FROM sweep WHERE name = ?1", [name], |row| {
        row.get(0)
    })
}

/// The heading; a sentence where the file has none that this program understands.
pub(crate) fn heading(connection: &Connection) -> Result<std::result::Result<Heading, String>> {
    let text = |name: &str| property(connection, name);
    let number = |name: &str| -> Result<std::result::Result<u64, String>> {
        let value = text(name)?;
        Ok(value
            .parse()
            .map_err(|_| format!("its {name} is \"{}\"", quotation(&value))))
    };
    let (points, seed) = (number("points")?, number("seed")?);
    let confidence = text("confidence")?;
    let measures = text("measures")?;
    let shard = text("shard")?.parse::<Shard>();
    let mut heading = Heading {
        name: text("name")?,
        program: text("program")?,
        checksum: text("checksum")?,
        points: 0,
        effort: text("effort")?,
        confidence: 0.0,
        seed: 0,
        measures: (!measures.is_empty()).then(|| measures.split(' ').map(str::to_owned).collect()),
        time_unit: text("time_unit")?,
        shard: Shard::WHOLE,
        axes: axes(connection)?,
    };
    Ok((|| {
        heading.points = points?;
        heading.seed = seed?;
        heading.confidence = confidence
            .parse()
            .map_err(|_| format!("its confidence is \"{}\"", quotation(&confidence)))?;
        heading.shard = shard.map_err(|_| "its shard is none".to_owned())?;
        let sizes: u64 = heading
            .axes
            .iter()
            .map(|axis| axis.positions.len() as u64)
            .product();
        let is_complete = |axis: &AxisHeading| {
            axis.positions
                .iter()
                .all(|values| values.len() == axis.keys.len())
        };
        if sizes != heading.points || !heading.axes.iter().all(is_complete) {
            return Err("its axes do not make its points".to_owned());
        }
        Ok(heading)
    })())
}

fn axes(connection: &Connection) -> Result<Vec<AxisHeading>> {
    let mut statement = connection.prepare("SELECT axis, name, logarithmic FROM axes ORDER BY axis")?;
    let axes = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)))?;
    axes.map(|axis| {
        let (index, name, logarithmic) = axis?;
        let mut described = AxisHeading {
            name,
            keys: Vec::new(),
            logarithmic,
            positions: Vec::new(),
        };
        let mut statement = connection.prepare(
            "SELECT part, key, value, number FROM settings WHERE axis = ?1 ORDER BY position, part",
        )?;
        let mut rows = statement.query([index])?;
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(0)? == 0 {
                described.positions.push(Vec::new());
            }
            if described.positions.len() == 1 {
                described.keys.push(row.get(1)?);
            }
            if let Some(values) = described.positions.last_mut() {
                values.push((row.get(2)?, row.get(3)?));
            }
        }
        Ok(described)
    })
    .collect()
}

/// Reads a point; none where it is not there.
pub(crate) fn point(connection: &Connection, point: u64) -> Result<Option<PointResult>> {
    let mut statement = connection
        .prepare_cached("SELECT replications, looks, attempts, is_precise FROM points WHERE point = ?1")?;
    let mut rows = statement.query([point as i64])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let mut result = PointResult {
        point,
        replications: row.get::<_, i64>(0)? as u64,
        looks: row.get(1)?,
        attempts: row.get::<_, i64>(2)? as u64,
        is_precise: row.get(3)?,
        estimates: Vec::new(),
    };
    let mut statement = connection.prepare_cached(
        "SELECT measure, dimension, estimate, low, high, note FROM estimates WHERE point = ?1 ORDER BY part",
    )?;
    let estimate = |row: &Row<'_>| {
        Ok(StoredEstimate {
            measure: row.get(0)?,
            dimension: row.get(1)?,
            estimate: row.get(2)?,
            low: row.get(3)?,
            high: row.get(4)?,
            note: row.get(5)?,
        })
    };
    for one in statement.query_map([point as i64], estimate)? {
        result.estimates.push(one?);
    }
    Ok(Some(result))
}

/// The numbers of the points that are there.
pub(crate) fn points_done(connection: &Connection) -> Result<Vec<u64>> {
    let mut statement = connection.prepare("SELECT point FROM points ORDER BY point")?;
    let points = statement.query_map([], |row| row.get::<_, i64>(0).map(|point| point as u64))?;
    points.collect()
}
