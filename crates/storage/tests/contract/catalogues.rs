//! Catalogue versions.

use domain::quote::CatalogueHash;
use ports::storage::Storage;

use crate::sample::{later, now};

pub async fn a_catalogue_version_is_stored_once_under_its_hash(store: &dyn Storage) {
    let hash = CatalogueHash([1; 32]);
    assert_eq!(store.catalogue(hash).await.unwrap(), None);
    store.keep_catalogue(hash, b"files", now()).await.unwrap();
    store.keep_catalogue(hash, b"files", later(1)).await.unwrap();
    assert_eq!(store.catalogue(hash).await.unwrap().as_deref(), Some(&b"files"[..]));
    assert_eq!(store.catalogue(CatalogueHash([2; 32])).await.unwrap(), None);
}
