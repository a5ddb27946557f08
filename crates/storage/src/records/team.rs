//! Database rows of operators and their secrets.

use crate::records::row::{ToRow, row};
use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{OperatorId, Uuid};
use domain::team::{OperatorSecret, SecretKind, TeamMember};
use ports::storage::{Result, Team};

use crate::audit::{UPKEEP, on};
use crate::body::{OperatorBody, OperatorSecretBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Guard, Operation, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const OPERATORS: &str = "operators";
const SECRETS: &str = "operator_secrets";

row! {
    /// Operator as stored in its row.
    Row in "operators/add" {
        operator_id: OperatorId,
        version: u32,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    /// Row for the next version of an operator.
    fn next(seal: &Seal, operator: &TeamMember) -> Result<Self> {
        let TeamMember {
            id,
            name,
            roles,
            created_at,
            ended_at,
            generation,
            recovered_at,
            passkeys,
            recovery_codes,
            identity,
            access,
            taken,
            version,
        } = operator.clone();
        let body = OperatorBody {
            name,
            roles,
            created_at,
            ended_at,
            generation,
            recovered_at,
            passkeys,
            recovery_codes,
            identity,
            access,
            taken,
        };
        let mut row = Row { operator_id: id, version: version + 1, body: Vec::new() };
        row.body = seal.seal(OPERATORS, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<TeamMember> {
        let body = seal.open(OPERATORS, &self.bound(), &self.body)?;
        let body: OperatorBody = decode(&body)?;
        Ok(TeamMember {
            id: self.operator_id,
            name: body.name,
            roles: body.roles,
            created_at: body.created_at,
            ended_at: body.ended_at,
            generation: body.generation,
            recovered_at: body.recovered_at,
            passkeys: body.passkeys,
            recovery_codes: body.recovery_codes,
            identity: body.identity,
            access: body.access,
            taken: body.taken,
            version: self.version,
        })
    }
}

row! {
    /// Operator's secret as stored in its row. The operator is zero if the secret has none yet.
    SecretRow in "operator_secrets/add" {
        operator_id: OperatorId,
        hash: [u8; 32],
        kind: SecretKind,
        expires_at: Timestamp,
        ended_at: Option<Timestamp>,
        version: u32,
    } free {
        seen_at: Timestamp,
        body: Vec<u8>,
    }
}

fn no_operator() -> OperatorId {
    OperatorId::from_uuid(Uuid::nil())
}

impl SecretRow {
    /// Row for the next version of an operator's secret.
    fn next(seal: &Seal, secret: &OperatorSecret) -> Result<Self> {
        let OperatorSecret { hash, kind, operator, name, roles, made_at, .. } = secret.clone();
        let body = OperatorSecretBody {
            name,
            roles,
            made_at,
            generation: secret.generation,
            confirmed_at: secret.confirmed_at,
        };
        let mut row = SecretRow {
            operator_id: operator.unwrap_or_else(no_operator),
            hash,
            kind,
            expires_at: secret.expires_at,
            ended_at: secret.ended_at,
            version: secret.version + 1,
            seen_at: secret.seen_at,
            body: Vec::new(),
        };
        row.body = seal.seal(SECRETS, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<OperatorSecret> {
        let body = seal.open(SECRETS, &self.bound(), &self.body)?;
        let OperatorSecretBody { name, roles, made_at, generation, confirmed_at } = decode(&body)?;
        Ok(OperatorSecret {
            hash: self.hash,
            kind: self.kind,
            operator: Some(self.operator_id).filter(|of| *of != no_operator()),
            name,
            roles,
            made_at,
            generation,
            expires_at: self.expires_at,
            confirmed_at,
            seen_at: self.seen_at,
            ended_at: self.ended_at,
            version: self.version,
        })
    }
}

fn add_secret(to: &mut (dyn Operation + '_), row: &SecretRow) {
    to.require(sql!("operator_secrets/add"), &row.values(), Guard::Taken);
}

#[async_trait]
impl Team for Store {
    async fn keep_operator(
        &self,
        operator: &TeamMember,
        what: &'static str,
        secret: Option<&OperatorSecret>,
    ) -> Result<bool> {
        let row = Row::next(&self.seal, operator)?;
        let secret = secret.map(|secret| SecretRow::next(&self.seal, secret)).transpose()?;
        let kept = self.act(on(what, operator.id), (row, secret), |(row, secret), to| {
            Box::pin(async move {
                let Row { operator_id, version, body } = row;
                match version {
                    1 => to.require(sql!("operators/add"), &row.values(), Guard::Version),
                    _ => {
                        let values = values![version, body, operator_id];
                        to.require(sql!("operators/change"), values, Guard::Version);
                    }
                }
                if let Some(secret) = secret {
                    add_secret(to, secret);
                }
                Ok(())
            })
        });
        unless_changed(kept.await)
    }

    async fn operator(&self, id: OperatorId) -> Result<Option<TeamMember>> {
        self.first(sql!("operators/read"), values![id], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn operators(&self) -> Result<Vec<TeamMember>> {
        self.all(sql!("operators/list"), values![], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn keep_secret(&self, secret: &OperatorSecret) -> Result<bool> {
        let subject = secret.operator.map(|of| of.to_string()).unwrap_or_default();
        let what = match secret.kind {
            SecretKind::Session | SecretKind::Command => on("session.begin", subject),
            SecretKind::Token => on("token.add", subject),
            SecretKind::Link => on("link.add", subject),
            SecretKind::Spent | SecretKind::Device => UPKEEP,
        };
        let kept = self.act(what, SecretRow::next(&self.seal, secret)?, |row, to| {
            Box::pin(async move {
                add_secret(to, row);
                Ok(())
            })
        });
        unless_changed(kept.await)
    }

    async fn change_secret(&self, secret: &OperatorSecret) -> Result<bool> {
        let SecretRow { operator_id, hash, kind: _, expires_at, ended_at, version, seen_at, body } =
            SecretRow::next(&self.seal, secret)?;
        let subject = secret.operator.map(|of| of.to_string()).unwrap_or_default();
        let values = values![operator_id, expires_at, ended_at, version, seen_at, body, hash];
        self.change(on("secret.change", subject), sql!("operator_secrets/change"), values).await
    }

    async fn secret(&self, hash: &[u8; 32]) -> Result<Option<OperatorSecret>> {
        let open = |row: RowFields<'_>| SecretRow::columns(row)?.open(&self.seal);
        self.first(sql!("operator_secrets/read"), values![hash], open).await
    }

    async fn secrets_of(&self, operator: OperatorId) -> Result<Vec<OperatorSecret>> {
        let open = |row: RowFields<'_>| SecretRow::columns(row)?.open(&self.seal);
        self.all(sql!("operator_secrets/of"), values![operator], open).await
    }

    async fn see_secret(&self, hash: &[u8; 32], at: Timestamp) -> Result<()> {
        self.write(sql!("operator_secrets/see"), values![at, hash]).await.map(|_| ())
    }

    async fn forget_secrets(&self, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("operator_secrets/forget"), values![before, most]).await? as usize)
    }
}
